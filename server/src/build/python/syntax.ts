// Python's statements and expressions, as far as build files use them.

export type Expression = { readonly line: number } & (
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "string"; readonly value: string }
  /** An f-string: texts and expressions. */
  | { readonly kind: "format"; readonly parts: readonly (string | Expression)[] }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "constant"; readonly value: boolean | null }
  | {
      readonly kind: "sequence";
      readonly shape: "list" | "tuple" | "set";
      readonly items: readonly Argument[];
    }
  /** A key of null spreads a dict. */
  | {
      readonly kind: "dict";
      readonly entries: readonly { readonly key: Expression | null; readonly value: Expression }[];
    }
  | { readonly kind: "attribute"; readonly object: Expression; readonly name: string }
  | { readonly kind: "call"; readonly callee: Expression; readonly arguments: readonly Argument[] }
  | { readonly kind: "index"; readonly object: Expression; readonly index: Expression }
  | { readonly kind: "slice"; readonly object: Expression; readonly bounds: readonly (Expression | null)[] }
  | {
      readonly kind: "binary";
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "unary"; readonly operator: string; readonly operand: Expression }
  | {
      readonly kind: "compare";
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "logical";
      readonly operator: "and" | "or";
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "conditional";
      readonly test: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
      readonly text: string;
    }
  | {
      readonly kind: "comprehension";
      readonly shape: "list" | "set" | "dict" | "tuple";
      readonly key: Expression | null;
      readonly element: Expression;
      readonly clauses: readonly Clause[];
    }
  | { readonly kind: "lambda"; readonly parameters: readonly Parameter[]; readonly body: Expression }
  | { readonly kind: "unknown"; readonly text: string }
);

export interface Argument {
  readonly name: string | null;
  readonly star: "" | "*" | "**";
  readonly value: Expression;
}

export interface Clause {
  readonly kind: "for" | "if";
  /** Of "for". */
  readonly target: Expression | null;
  readonly value: Expression;
}

export interface Parameter {
  readonly name: string;
  readonly star: "" | "*" | "**";
  readonly fallback: Expression | null;
}

export type Statement = { readonly line: number } & (
  | { readonly kind: "expression"; readonly value: Expression }
  | { readonly kind: "assign"; readonly targets: readonly Expression[]; readonly value: Expression }
  | {
      readonly kind: "augment";
      readonly target: Expression;
      readonly operator: string;
      readonly value: Expression;
    }
  | {
      readonly kind: "if";
      readonly test: Expression;
      /** The test as written. */
      readonly text: string;
      readonly then: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | {
      readonly kind: "for";
      readonly target: Expression;
      readonly iterable: Expression;
      readonly text: string;
      readonly body: readonly Statement[];
    }
  | {
      readonly kind: "while";
      readonly test: Expression;
      readonly text: string;
      readonly body: readonly Statement[];
    }
  | {
      readonly kind: "function";
      readonly name: string;
      readonly parameters: readonly Parameter[];
      readonly body: readonly Statement[];
    }
  | { readonly kind: "class"; readonly name: string; readonly body: readonly Statement[] }
  | { readonly kind: "return"; readonly value: Expression | null }
  | { readonly kind: "yield"; readonly value: Expression | null; readonly isFrom: boolean }
  /** `names`: local name to dotted name. */
  | { readonly kind: "import"; readonly names: readonly (readonly [string, string])[] }
  /** `with` and `try` without its handlers. */
  | {
      readonly kind: "block";
      readonly bound: readonly { readonly target: Expression; readonly value: Expression }[];
      readonly body: readonly Statement[];
    }
  | { readonly kind: "stop"; readonly word: "raise" | "break" | "continue" }
  | { readonly kind: "delete"; readonly targets: readonly Expression[] }
  /** `name: type` without a value. */
  | { readonly kind: "declare"; readonly name: string }
  | { readonly kind: "nothing" }
);
