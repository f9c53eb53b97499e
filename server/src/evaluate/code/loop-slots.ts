// Slots of the variables that the trips of a loop change, make anew or declare: what has to be known of them before trips are taken together.

import type { Loop, Statement } from "../../ir/statement.ts";
import { type Frame, type Machine, relevanceIn, slotsAmong } from "../machine.ts";
import type { Expected } from "./inductions.ts";
import { variablesRemadeBy } from "./remade.ts";

/** Those whose values the trips make anew, and those of them that each trip surely does. */
export function slotsRemadeBy(
  { code }: Machine,
  frame: Frame,
  loop: Loop,
): { remade: Set<number>; surelyRemade: Set<number> } {
  const { variables, surely } = code.remade.get(loop) ?? variablesRemadeBy(loop);
  code.remade.set(loop, { variables, surely });
  return { remade: slotsAmong(frame, variables), surelyRemade: slotsAmong(frame, surely) };
}

/** What the trips of the loop changed when it was last run; before that, what its text assigns. */
export function expectedIn(machine: Machine, frame: Frame, loop: Loop): Expected {
  const changed = frame.changedBy.get(loop);
  if (changed) return { slots: new Set(changed.variables.map(({ slot }) => slot)), from: "last time" };
  return { slots: slotsAmong(frame, relevanceIn(machine, frame).writtenBy(loop)), from: "text" };
}

/** Slots of variables that are declared and hold nothing so far. */
export function slotsWithoutValue({ frames, slots }: Machine): Set<number> {
  return new Set(frames.flatMap(({ slotOf }) => [...slotOf.values()]).filter((slot) => !slots.has(slot)));
}

/** Slots of variables that are born anew in every trip. */
export function slotsDeclaredIn(frame: Frame, statements: readonly Statement[]): Set<number> {
  const found = new Set<number>();
  const visit = (list: readonly Statement[]): void => {
    for (const statement of list) {
      if (statement.kind === "declare") {
        const slot = frame.slotOf.get(statement.variable.id);
        if (slot !== undefined) found.add(slot);
      } else if (statement.kind === "if") {
        visit(statement.whenTrue);
        visit(statement.whenFalse);
      } else if (statement.kind === "block" || statement.kind === "loop") visit(statement.body);
      else if (statement.kind === "switch") for (const each of statement.cases) visit(each.body);
    }
  };
  visit(statements);
  return found;
}
