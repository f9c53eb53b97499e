// What a name can mean: the entities that scopes hold.
import type { Expression, Place } from "../../ir/expression.ts";
import type { Variable } from "../../ir/variable.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import type { SyntaxUnit } from "../../syntax/unit.ts";
import type { FunctionInstance } from "../functions/instance.ts";
import type { ClassInfo } from "../types/class.ts";
import type { CxxType } from "../types/cxx-type.ts";
import type { Scope } from "./scope.ts";

export type Entity =
  | NamespaceEntity
  | TypeEntity
  | TemplateEntity
  | ConceptEntity
  | FunctionEntity
  | VariableEntity
  | ConstantEntity
  | PackEntity
  | FieldEntity
  | FunctionValueEntity
  | BuiltinVariable
  | PatternEntity
  | UnknownEntity;

export interface NamespaceEntity {
  readonly kind: "namespace";
  readonly scope: Scope;
}

/** A class, enumeration, typedef or bound type parameter; resolved when first asked for. */
export interface TypeEntity {
  readonly kind: "type";
  readonly type: () => CxxType;
}

/** A template parameter as written. */
export interface TemplateParameterNode {
  readonly name: string;
  readonly kind: "type" | "value" | "template";
  readonly isPack: boolean;
  /** Whether a concept or a `requires` says which arguments it takes. */
  readonly isConstrained: boolean;
  /** Default argument, and for a value the declaration that gives its type. */
  readonly defaultNode: SyntaxNode | null;
  readonly declaration: SyntaxNode;
}

/** A template of classes, aliases or variables. */
export interface TemplateEntity {
  readonly kind: "template";
  readonly of: "class" | "alias" | "variable";
  readonly name: string;
  readonly unit: SyntaxUnit;
  readonly scope: Scope;
  readonly parameters: readonly TemplateParameterNode[];
  /** The class specifier, alias declaration or variable declaration; null where it is only declared so far. */
  node: SyntaxNode | null;
  readonly specializations: Specialization[];
  /** Deduction guides of a class template. */
  readonly guides: FunctionEntity[];
  readonly instances: Map<string, CxxType | VariableEntity>;
}

/** What a template's parameter is required to be. Programs that compile fulfil it, so that nothing more is known of it. */
export interface ConceptEntity {
  readonly kind: "concept";
}

export interface Specialization {
  readonly unit: SyntaxUnit;
  readonly scope: Scope;
  readonly parameters: readonly TemplateParameterNode[];
  readonly argumentList: SyntaxNode;
  readonly node: SyntaxNode;
}

export interface FunctionEntity {
  readonly kind: "function";
  readonly key: number;
  readonly name: string;
  readonly unit: SyntaxUnit;
  /** function_definition, declaration, field_declaration or lambda_expression. */
  readonly node: SyntaxNode;
  /** The function_declarator; null for a lambda without parameters. */
  readonly declarator: SyntaxNode | null;
  readonly body: SyntaxNode | null;
  readonly scope: Scope;
  readonly parameters: readonly TemplateParameterNode[] | null;
  /** Arguments of a full specialisation as written, `f<int>`; "deduced" where its types give them; null for what is none. */
  readonly specializes: SyntaxNode | "deduced" | null;
  readonly memberOf: ClassInfo | null;
  readonly isStatic: boolean;
  readonly isConstMember: boolean;
  readonly isVirtual: boolean;
  /** A conversion operator's node, else null. */
  readonly conversion: SyntaxNode | null;
  readonly isLambda: boolean;
  /** A lambda that only the host calls. */
  readonly isHostLambda?: boolean;
}

export interface VariableInfo {
  readonly type: CxxType;
  readonly variable: Variable;
  /** The value of a constant: a Constant of a scalar, an Aggregate of a constexpr array or record. */
  readonly constant: Expression | null;
  /** Of a member of an anonymous union: where it lies in the variable that the union is. */
  readonly offsetBytes?: number;
  /** Of a name in a structured binding: the part that it names; the variable is what the parts are reached by. */
  readonly place?: Place;
}

/**
 * Who can name a variable of a namespace or class. `usual`: other units too, where it is not const; `external`: other units in any case;
 * `internal`: this unit alone; `inline`: defined in every unit, and one for all; `declared`: its definition is left to another declaration.
 */
export type VariableLinkage = "usual" | "external" | "internal" | "inline" | "declared";

/** The definition of a variable by its qualified name, `int Class::count = 4;`. */
export interface QualifiedVariable {
  /** `Class`, without template arguments, and as written. */
  readonly owner: string;
  readonly ownerText: string;
  /** It is defined for all instances of a class template. */
  readonly isTemplate: boolean;
  readonly unit: SyntaxUnit;
  readonly node: SyntaxNode;
  readonly declarator: SyntaxNode;
}

export interface VariableEntity {
  readonly kind: "variable";
  readonly name: string;
  /** Of one of a namespace or class. */
  readonly linkage?: VariableLinkage;
  /** Whether this unit defines it. */
  readonly isDefined?: () => boolean;
  readonly get: () => VariableInfo;
}

/** An enumerator or a bound value parameter. */
export interface ConstantEntity {
  readonly kind: "constant";
  readonly type: CxxType;
  readonly value: Scalar;
}

/** A bound parameter pack, of a template or of a function. */
export interface PackEntity {
  readonly kind: "pack";
  readonly elements: readonly Entity[];
}

/** A non-static data member, named inside its class. */
export interface FieldEntity {
  readonly kind: "field";
  readonly name: string;
  readonly owner: ClassInfo;
}

/** A function bound to a template parameter. */
export interface FunctionValueEntity {
  readonly kind: "function-value";
  readonly instance: FunctionInstance;
}

/** threadIdx, blockIdx, blockDim, gridDim, warpSize. */
export interface BuiltinVariable {
  readonly kind: "builtin";
  readonly name: string;
}

export type TemplateArgument =
  | { readonly kind: "type"; readonly type: CxxType }
  | { readonly kind: "value"; readonly value: Scalar; readonly type: CxxType }
  /** A value that hangs on a name which is declared nowhere in sight. */
  | { readonly kind: "unknown"; readonly text: string; readonly reason: string }
  | { readonly kind: "function"; readonly instance: FunctionInstance }
  | { readonly kind: "template"; readonly template: TemplateEntity }
  | { readonly kind: "pack"; readonly elements: readonly TemplateArgument[] }
  /** A value or template parameter while arguments are deduced. */
  | { readonly kind: "pattern"; readonly name: string }
  /** `Ts...` while arguments are deduced. */
  | { readonly kind: "expansion"; readonly of: TemplateArgument }
  | { readonly kind: "undeduced" };

/** A value or template parameter of a template, while its arguments are deduced. */
export interface PatternEntity {
  readonly kind: "pattern";
  readonly name: string;
}

/** A value parameter bound to an argument of which nothing is known. */
export interface UnknownEntity {
  readonly kind: "unknown";
  readonly text: string;
  readonly reason: string;
}
