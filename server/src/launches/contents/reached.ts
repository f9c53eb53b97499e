// Which of some marks each node of a graph reaches: worked out for all of them at once, each edge followed once.

/** What is reached: marks, or "any" where it may be each of them. */
export type Reached<Mark> = ReadonlySet<Mark> | "any";

export interface Graph<Node, Mark> {
  nextOf(node: Node): Iterable<Node>;
  /** Null where it has none. */
  markOf(node: Node): Mark | "any" | null;
}

/** For `roots` and all that they lead to. Nodes that lead to each other reach the same (Tarjan's components). */
export function reachedFrom<Node, Mark>(
  roots: Iterable<Node>,
  graph: Graph<Node, Mark>,
): ReadonlyMap<Node, Reached<Mark>> {
  const reached = new Map<Node, Reached<Mark>>();
  const visits = new Map<Node, Visit<Node>>();
  /** Nodes whose component is not complete. */
  const open: Node[] = [];
  for (const root of roots) {
    if (visits.has(root)) continue;
    const path = [visitOf(root, graph, visits, open)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const next = visit.next[visit.at++];
      if (next !== undefined) {
        const known = visits.get(next);
        if (known === undefined) path.push(visitOf(next, graph, visits, open));
        else if (!reached.has(next)) visit.least = Math.min(visit.least, known.number);
        continue;
      }
      path.pop();
      const before = path.at(-1);
      if (before !== undefined) before.least = Math.min(before.least, visit.least);
      if (visit.least < visit.number) continue;
      const members = open.splice(open.lastIndexOf(visit.node));
      const all = unionOf(members, { graph, visits, reached });
      for (const member of members) reached.set(member, all);
    }
  }
  return reached;
}

interface Visit<Node> {
  readonly node: Node;
  readonly number: number;
  /** The least number of a node that it leads to and whose component is not complete. */
  least: number;
  readonly next: readonly Node[];
  /** How many of `next` were followed. */
  at: number;
}

function visitOf<Node, Mark>(
  node: Node,
  graph: Graph<Node, Mark>,
  visits: Map<Node, Visit<Node>>,
  open: Node[],
): Visit<Node> {
  const visit = { node, number: visits.size, least: visits.size, next: [...graph.nextOf(node)], at: 0 };
  visits.set(node, visit);
  open.push(node);
  return visit;
}

interface Walk<Node, Mark> {
  readonly graph: Graph<Node, Mark>;
  readonly visits: ReadonlyMap<Node, Visit<Node>>;
  readonly reached: ReadonlyMap<Node, Reached<Mark>>;
}

/** Of a component: its own marks, and what those reach that it leads to. */
function unionOf<Node, Mark>(
  members: readonly Node[],
  { graph, visits, reached }: Walk<Node, Mark>,
): Reached<Mark> {
  const own = new Set<Mark>();
  const others = new Set<ReadonlySet<Mark>>();
  for (const member of members) {
    const mark = graph.markOf(member);
    if (mark === "any") return "any";
    if (mark !== null) own.add(mark);
    for (const next of visits.get(member)?.next ?? []) {
      const of = reached.get(next);
      if (of === "any") return "any";
      if (of !== undefined && of.size > 0) others.add(of);
    }
  }
  const [only] = others;
  if (only !== undefined && others.size === 1 && own.size === 0) return only;
  for (const other of others) for (const mark of other) own.add(mark);
  return own;
}
