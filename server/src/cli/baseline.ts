// Known findings that are not reported again: a file that a team commits, in which edits around a finding change nothing.
import * as z from "zod/mini";
import type { FlatFinding } from "../render/flat-finding.ts";
import { type Identified, identityOf } from "../render/identity.ts";

const entry = z.object({
  rule: z.string(),
  path: z.string(),
  kernel: z.nullable(z.string()),
  expression: z.nullable(z.string()),
  count: z.int().check(z.minimum(1)),
});
const baselineFile = z.object({ version: z.literal(1), findings: z.array(entry) });

type Entry = z.output<typeof entry>;

/** How many findings of each identity are known. */
export class Baseline {
  private readonly left = new Map<string, number>();
  private readonly entries: readonly Entry[];

  constructor(entries: readonly Entry[]) {
    this.entries = entries;
    for (const each of entries) {
      const identity = entryIdentity(each);
      this.left.set(identity, (this.left.get(identity) ?? 0) + each.count);
    }
  }

  /** Whether all accesses that a finding speaks for are known; each entry answers for as many as it counts. */
  takes(finding: FlatFinding): boolean {
    return accessesOf(finding)
      .map((access) => this.takesOne(identityOf(access)))
      .every((isKnown) => isKnown);
  }

  private takesOne(identity: string): boolean {
    const left = this.left.get(identity) ?? 0;
    if (left === 0) return false;
    this.left.set(identity, left - 1);
    return true;
  }

  /** Entries of files that `covers` whose findings are gone, in words. */
  stale(covers: (path: string) => boolean): readonly string[] {
    return this.entries
      .filter((each) => covers(each.path) && (this.left.get(entryIdentity(each)) ?? 0) > 0)
      .map(({ path, kernel, expression, rule }) =>
        [path, kernel, expression]
          .filter((part) => part !== null)
          .join(", ")
          .concat(` [${rule}]`),
      );
  }

  /** Entries of files that `covers` not: another run knows of them. */
  kept(covers: (path: string) => boolean): readonly Entry[] {
    return this.entries.filter(({ path }) => !covers(path));
  }
}

function accessesOf(finding: FlatFinding): readonly Identified[] {
  const { rule, path, kernel } = finding;
  return [finding, ...finding.otherExpressions.map((expression) => ({ rule, path, kernel, expression }))];
}

function entryIdentity({ rule, path, kernel, expression }: Entry): string {
  return identityOf({ rule: rule as FlatFinding["rule"], path, kernel, expression });
}

export type ReadBaseline =
  | { readonly kind: "baseline"; readonly baseline: Baseline }
  | { readonly kind: "error"; readonly message: string };

export function parseBaseline(text: string): ReadBaseline {
  try {
    const result = z.safeParse(baselineFile, JSON.parse(text));
    if (result.success) return { kind: "baseline", baseline: new Baseline(result.data.findings) };
    const [issue] = result.error.issues;
    return {
      kind: "error",
      message: `not a baseline: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`,
    };
  } catch {
    return { kind: "error", message: "not a baseline: not JSON" };
  }
}

/** The baseline that knows `findings`, and `others`: sorted, so that edits make small differences. */
export function baselineText(findings: readonly FlatFinding[], others: readonly Entry[]): string {
  const entries = new Map<string, Entry>();
  for (const each of others) entries.set(entryIdentity(each), each);
  for (const access of findings.flatMap(accessesOf)) {
    const { rule, path, kernel, expression } = access;
    const identity = identityOf(access);
    const count = (entries.get(identity)?.count ?? 0) + 1;
    entries.set(identity, {
      rule,
      path,
      kernel,
      expression: expression?.replace(/\s+/g, " ") ?? null,
      count,
    });
  }
  const sorted = [...entries].sort(([a, one], [b, other]) =>
    one.path === other.path ? (a < b ? -1 : 1) : one.path < other.path ? -1 : 1,
  );
  return `${JSON.stringify({ version: 1, findings: sorted.map(([, each]) => each) }, null, 1)}\n`;
}
