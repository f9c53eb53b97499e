// Kernel launches: `kernel<<<grid, block, bytes, stream>>>(arguments)` and cudaLaunchKernel.
import type { Expression } from "../../ir/expression.ts";
import type { LaunchStatement } from "../../ir/statement.ts";
import { functionType } from "../../ir/type.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import { dim3Class } from "../builtins/type.ts";
import { type Context, noteGap, rangeOf, textOf } from "../context.ts";
import type { FunctionInstance } from "../functions/instance.ts";
import { onlyCandidate, resolveOverload } from "../functions/overload.ts";
import { soleInstance } from "../functions/reference.ts";
import { classType, irTypeOf, typeText, unsignedLongType } from "../types/cxx-type.ts";
import { Unsupported } from "../unsupported.ts";
import { unknownValue } from "./build.ts";
import { argumentValues, readAll, signatureOf } from "./call.ts";
import { convertRead, convertValue } from "./convert.ts";
import { expression } from "./expression.ts";
import { type LValue, lvalueOf, readValue, type Value } from "./value.ts";

/** The launch that a call expression is; null where it is an ordinary call. */
export function launchStatement(context: Context, node: SyntaxNode): LaunchStatement | null {
  const syntax = node.children.find((child) => child.type === "kernel_call_syntax");
  if (syntax) return chevrons(context, node, syntax);
  const callee = childOf(node, "function");
  const name = callee ? textOf(context, callee) : "";
  return /^(cudaLaunchKernel|cudaLaunchCooperativeKernel)$/.test(name) ? runtimeLaunch(context, node) : null;
}

function chevrons(context: Context, node: SyntaxNode, syntax: SyntaxNode): LaunchStatement {
  const callee = childOf(node, "function");
  const list = childOf(node, "arguments");
  if (callee === null || list === null) throw new Unsupported("an incomplete launch");
  const [grid, block, bytes] = namedChildren(syntax).map((each) => expression(context, each));
  if (grid === undefined || block === undefined) throw new Unsupported("a launch without grid or block");
  const given = argumentValues(context, list);
  const target = expression(context, callee);
  return {
    kind: "launch",
    ...kernelAndArguments(context, target, given),
    grid: dimensions(context, grid),
    block: dimensions(context, block),
    sharedBytes: bytes ? sizeInBytes(context, bytes) : null,
    range: rangeOf(context, node),
  };
}

function kernelAndArguments(
  context: Context,
  target: Value,
  given: readonly Value[],
): Pick<LaunchStatement, "kernel" | "arguments"> {
  const instance = kernelInstance(context, target, given);
  if (instance === null && target.kind === "functions") {
    const reason = `no kernel ${target.name} fits the arguments`;
    noteGap(context, reason);
    return { kernel: unknownValue(functionType, reason), arguments: readAll(context, given) };
  }
  if (instance === null) {
    const { expression: kernel, type } = readValue(context, target);
    const parameters = signatureOf(type)?.parameters ?? [];
    // A kernel takes records by value, where a function that is not in sight may take references.
    const passed = given.flatMap((value, index) => {
      const parameter = parameters[index];
      return parameter?.kind === "class"
        ? [convertValue(context, value, parameter)]
        : readAll(context, [value]);
    });
    return { kernel, arguments: passed };
  }
  const list = instance.parameters.map((parameter, index) => {
    const value = given[index];
    if (value) return convertValue(context, value, parameter.type);
    if (parameter.default === null)
      throw new Unsupported(`the launch of ${instance.displayName} lacks an argument`);
    const at: Context = { ...context, unit: parameter.default.unit, scope: instance.scope };
    return convertValue(at, expression(at, parameter.default.node), parameter.type);
  });
  return { kernel: context.translation.calleeOf(instance) ?? instance.id, arguments: list };
}

function kernelInstance(context: Context, target: Value, given: readonly Value[]): FunctionInstance | null {
  if (target.kind === "functions")
    return resolveOverload(context, target, given) ?? onlyCandidate(context, target, given);
  const { expression: callee } = readValue(context, target);
  return callee.kind === "function" ? context.translation.instanceOf(callee.callee) : null;
}

/** A grid or block as a dim3 record. */
function dimensions(context: Context, value: Value): Expression {
  const type = classType(dim3Class);
  if (value.kind === "place" || value.kind === "value") {
    if (value.type.kind === "unknown")
      return unknownValue(dim3Class.layout().record, value.type.reason, readAll(context, [value]));
  }
  return convertValue(context, value, type);
}

function sizeInBytes(context: Context, value: Value): Expression {
  return convertRead(context, readValue(context, value), unsignedLongType);
}

/** cudaLaunchKernel(function, grid, block, arguments, sharedBytes, stream); null where the host alone knows which function: a call then. */
function runtimeLaunch(context: Context, node: SyntaxNode): LaunchStatement | null {
  const list = childOf(node, "arguments");
  const nodes = list ? namedChildren(list) : [];
  const [kernelNode, gridNode, blockNode, argumentsNode, bytesNode] = nodes;
  if (!kernelNode || !gridNode || !blockNode || !argumentsNode) throw new Unsupported("an incomplete launch");
  const target = expression(context, uncast(kernelNode));
  const instance =
    target.kind === "functions" ? wholeInstance(context, target) : kernelInstance(context, target, []);
  if (instance === null) return null;
  return {
    kind: "launch",
    kernel: context.translation.calleeOf(instance) ?? instance.id,
    arguments: argumentsBehind(context, instance, expression(context, uncast(argumentsNode))),
    grid: dimensions(context, expression(context, gridNode)),
    block: dimensions(context, expression(context, blockNode)),
    sharedBytes: bytesNode ? sizeInBytes(context, expression(context, bytesNode)) : null,
    range: rangeOf(context, node),
  };
}

function wholeInstance(context: Context, set: Extract<Value, { kind: "functions" }>): FunctionInstance {
  return soleInstance(set.explicit?.context ?? context, {
    name: set.name,
    qualifiedName: set.name,
    entities: set.candidates,
    arguments: set.explicit?.node ?? null,
    isQualified: false,
  });
}

/** `(void*)kernel`, `&kernel`, `(const void*)&kernel`: the name inside. */
function uncast(node: SyntaxNode): SyntaxNode {
  if (node.type === "cast_expression") {
    const value = childOf(node, "value");
    return value ? uncast(value) : node;
  }
  if (node.type === "pointer_expression") {
    const argument = childOf(node, "argument");
    return argument && argument.type !== "identifier" ? uncast(argument) : (argument ?? node);
  }
  if (node.type === "parenthesized_expression") {
    const [inner] = namedChildren(node);
    return inner ? uncast(inner) : node;
  }
  if (node.type === "call_expression") {
    const callee = childOf(node, "function");
    const list = childOf(node, "arguments");
    const [inner] = list && callee?.type === "template_function" ? namedChildren(list) : [];
    return inner ? uncast(inner) : node;
  }
  return node;
}

/** The kernel's arguments, read through the array of pointers to them. */
function argumentsBehind(context: Context, instance: FunctionInstance, array: Value): Expression[] {
  const read = readValue(context, array);
  if (read.type.kind !== "pointer") throw new Unsupported(`launch arguments of ${typeText(read.type)}`);
  return instance.parameters.map((parameter, index) => {
    const pointers = { kind: "pointer", target: { kind: "void" } } as const;
    const slot: LValue = lvalueOf(read.type, {
      kind: "memory",
      pointer: read.expression,
      offsetBytes: index * 8,
      type: pointers,
    });
    const pointer = { kind: "load", type: pointers, place: slot.place, site: null } as const;
    const value: LValue = lvalueOf(parameter.type, {
      kind: "memory",
      pointer,
      offsetBytes: 0,
      type: irTypeOf(parameter.type),
    });
    return readValue(context, value).expression;
  });
}
