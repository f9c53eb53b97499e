// One value of C: a boolean is 0 or 1, a float is a number, an integer is a number where a double holds it exactly and a
// BigInt where it does not. Every function of this folder takes and returns values in that form.

export type Scalar = number | bigint;
