// The one exception of this folder: thrown where a construct is not understood, caught at the nearest expression,
// statement or declaration, which becomes unknown with the reason.

export class Unsupported {
  // No Error: it would record the call stack, which nobody reads and overload resolution would pay for at every misfit.
  readonly message: string;

  constructor(reason: string) {
    this.message = reason;
  }
}

/** What `attempt` gives, or what `recover` makes of the reason where the construct is not understood. */
export function orElse<T>(attempt: () => T, recover: (reason: string) => T): T {
  try {
    return attempt();
  } catch (error) {
    return recover(reasonOf(error));
  }
}

/** Why a construct was not understood, by what its lowering threw; whatever else was thrown is thrown on. */
export function reasonOf(error: unknown): string {
  if (error instanceof Unsupported) return error.message;
  if (error instanceof RangeError) return "nested too deeply";
  throw error;
}
