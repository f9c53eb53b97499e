// Whether data decide which addresses the lanes of an access go to: its address, as the compiler has it, is made of what was loaded from an
// address of the lane's own (`x[column[i]]`). What all lanes load alike moves them together, and is no cause of a finding.
import type { Expression, Place } from "../../server/src/ir/expression.ts";
import type { FunctionDefinition, Program } from "../../server/src/ir/function.ts";
import { operandsOf } from "../../server/src/ir/operands.ts";
import type { Statement } from "../../server/src/ir/statement.ts";
import type { SourceRange } from "../../server/src/text/source.ts";

/** What a value is for the lanes of a warp: one for all, known by the thread's number alone, or made of memory that each lane reads by itself. */
type Origin = 0 | 1 | 2;
const uniform = 0;
const byThread = 1;
const byData = 2;

/** `kernel` and its program as generated; calls that are left are followed by what they are given. */
export function isDataDecided(program: Program, kernel: FunctionDefinition, range: SourceRange): boolean {
  const origins = new Map<number, Origin>();
  const results = new Map<string, Origin>();
  let found = uniform as Origin;
  let changed = true;

  const raise = (id: number, origin: Origin) => {
    if (origin <= (origins.get(id) ?? uniform)) return;
    origins.set(id, origin);
    changed = true;
  };

  while (changed) {
    changed = false;
    const entered = new Set<string>();
    enter(kernel, entered);
  }
  return found === byData;

  function enter(definition: FunctionDefinition, entered: Set<string>): void {
    if (entered.has(definition.id)) return;
    entered.add(definition.id);
    walk(definition.body, uniform, definition, entered);
  }

  function walk(
    body: readonly Statement[],
    under: Origin,
    own: FunctionDefinition,
    entered: Set<string>,
  ): void {
    const originOf = (expression: Expression): Origin => {
      if (expression.kind === "load") {
        if (isAt(expression.site)) found = most(found, addressOf(expression.place));
        return loaded(expression.place);
      }
      if (expression.kind === "assign") {
        const origin = most(originOf(expression.value), under);
        if (isAt(expression.site)) found = most(found, addressOf(expression.place));
        for (const id of written(expression.place)) raise(id, origin);
        return origin;
      }
      const operands = operandsOf(expression).reduce<Origin>(
        (sum, each) => most(sum, originOf(each)),
        uniform,
      );
      switch (expression.kind) {
        case "address":
          return addressOf(expression.place);
        case "intrinsic":
          if (isAt(expression.site)) found = most(found, operands);
          if (/^threadIdx|lane|activemask/i.test(expression.name)) return byThread;
          return /^atomic|^clock|ballot|match_/.test(expression.name) ? byData : operands;
        case "call": {
          const callee = program.functionOf(expression.callee);
          if (callee === null) return operands;
          callee.parameters.forEach((parameter, at) => {
            const argument = expression.arguments[at];
            if (argument !== undefined) raise(parameter.id, originOf(argument));
          });
          enter(callee, entered);
          return results.get(callee.id) ?? uniform;
        }
        case "unknown":
          return expression.operands.length === 0 ? byThread : operands;
        default:
          return operands;
      }
    };

    const addressOf = (place: Place): Origin => (place.kind === "memory" ? originOf(place.pointer) : uniform);

    const loaded = (place: Place): Origin => {
      if (place.kind === "variable") return origins.get(place.variable.id) ?? uniform;
      const address = originOf(place.pointer);
      const locals = variablesBehind(place.pointer);
      if (locals.length > 0)
        return locals.reduce<Origin>((sum, id) => most(sum, origins.get(id) ?? uniform), address);
      return address === uniform ? uniform : byData;
    };

    for (const statement of body) {
      switch (statement.kind) {
        case "evaluate":
          originOf(statement.expression);
          break;
        case "declare":
          if (statement.initializer !== null)
            raise(statement.variable.id, most(originOf(statement.initializer), under));
          break;
        case "block":
          walk(statement.body, under, own, entered);
          break;
        case "if": {
          const origin = originOf(statement.condition) === byData ? byData : under;
          walk(statement.whenTrue, origin, own, entered);
          walk(statement.whenFalse, origin, own, entered);
          break;
        }
        case "loop":
          if (statement.condition !== null) originOf(statement.condition);
          walk(statement.body, under, own, entered);
          for (const each of statement.step) originOf(each);
          break;
        case "switch": {
          const origin = originOf(statement.selector) === byData ? byData : under;
          for (const each of statement.cases) walk(each.body, origin, own, entered);
          break;
        }
        case "return":
          if (statement.value !== null) {
            const origin = most(most(originOf(statement.value), under), results.get(own.id) ?? uniform);
            if (origin !== (results.get(own.id) ?? uniform)) changed = true;
            results.set(own.id, origin);
          }
          break;
        default:
      }
    }
  }

  function isAt(site: { readonly range: SourceRange } | null): boolean {
    return (
      site?.range.file === range.file && site.range.start === range.start && site.range.end === range.end
    );
  }
}

/** The thread's own variables that a pointer is made from. */
function variablesBehind(pointer: Expression): number[] {
  if (pointer.kind === "address" && pointer.place.kind === "variable")
    return pointer.place.variable.storage === "automatic" ? [pointer.place.variable.id] : [];
  return operandsOf(pointer).flatMap(variablesBehind);
}

function written(place: Place): number[] {
  return place.kind === "variable" ? [place.variable.id] : variablesBehind(place.pointer);
}

function most(a: Origin, b: Origin): Origin {
  return a > b ? a : b;
}
