// What LLVM's vectorizer sees at once: the loads of global memory of one block.
import type { Statement } from "../../ir/statement.ts";
import { isReadOnlyBase } from "../../ir/variable.ts";
import { isSelection } from "../linearise/selections.ts";
import type { Access, MergeOptions } from "./chains.ts";
import type { BlockLoads } from "./vectorizer.ts";

/** The loads of global memory that LLVM sees at once: it merges within a block, whatever stores stand in it. */
export class Blocks {
  readonly #arrays = new Map<number | undefined, Access[]>();
  readonly #parts = new Map<string, Access[][]>();

  end(): void {
    this.#arrays.clear();
    this.#parts.clear();
  }

  add(access: Access): void {
    this.#arrayOf(access).push(access);
  }

  /** What belongs to the new chain of the key: its array, and the chains of the key that ended before it and will begin behind it. */
  of(key: string, accesses: Access[]): BlockLoads {
    const parts = this.#parts.get(key) ?? [];
    this.#parts.set(key, parts);
    parts.push(accesses);
    const [first] = accesses;
    return { ofArray: first ? this.#arrayOf(first) : [], parts };
  }

  #arrayOf({ address: { base } }: Access): Access[] {
    const loads = this.#arrays.get(base?.id) ?? [];
    this.#arrays.set(base?.id, loads);
    return loads;
  }
}

/** Not what is read through the read-only cache: ptxas makes one of the vector and of what LLVM loads beside it, and not always. */
export function isOfBlock({ address }: Access, kind: "load" | "store", { scope }: MergeOptions): boolean {
  if (kind !== "load" || scope !== "all" || address.space !== "global") return false;
  return address.base !== null && !isReadOnlyBase(address.base);
}

/** Whether what stands behind the statement is of another block. */
export function endsBlock(statement: Statement): boolean {
  if (statement.kind === "if") return !isSelection(statement);
  return statement.kind !== "declare" && statement.kind !== "evaluate" && statement.kind !== "barrier";
}
