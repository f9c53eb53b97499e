// The second line of a finding before it is put together.

/** Why an access costs more than it must, and what helps in general. */
export interface Reason {
  readonly cause: string;
  /** A sentence; "" where none is known. */
  readonly advice: string;
}
