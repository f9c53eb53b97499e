// What the parameters of requests have at least: a client that sends others is told so.
import { ErrorCodes, ResponseError } from "vscode-languageserver";
import * as z from "zod/mini";

const position = z.looseObject({ line: z.number(), character: z.number() });
const range = z.looseObject({ start: position, end: position });
const textDocument = z.looseObject({ uri: z.string() });
const maybe = <T extends z.ZodMiniType>(type: T) => z.optional(z.nullable(type));

/** A document. */
export const document = z.looseObject({ textDocument });
/** A place in a document. */
export const documentPlace = z.looseObject({ textDocument, position });
export const documentRange = z.looseObject({ textDocument, range });
export const codeAction = z.looseObject({
  textDocument,
  range,
  context: z.looseObject({
    diagnostics: z.array(z.looseObject({ range })),
    only: maybe(z.array(z.string())),
  }),
});
export const workspaceDiagnostic = z.looseObject({
  previousResultIds: z.array(z.looseObject({ uri: z.string(), value: z.string() })),
});
export const command = z.looseObject({ command: z.string(), arguments: maybe(z.array(z.unknown())) });

/** Of requests of our own. */
export const uri = z.looseObject({ uri: z.string() });
export const place = z.looseObject({ uri: z.string(), position });
export const panel = z.looseObject({ uri: z.string(), position, choice: maybe(z.looseObject({})) });
export const launch = z.looseObject({ uri: z.string(), position, annotation: z.string() });
export const inSight = z.looseObject({ uri: z.string(), ranges: z.array(range) });
const workDoneToken = z.optional(z.union([z.string(), z.number()]));
export const lint = z.looseObject({ workDoneToken });
/** Of one document, or of the workspace. */
export const maybeUri = z.looseObject({ uri: maybe(z.string()) });
export const fixAll = z.looseObject({ uri: maybe(z.string()), workDoneToken });

export const report = z.looseObject({ name: z.string(), base64: z.nullable(z.string()) });

/** Throws what the protocol has for parameters that are not of the shape. */
export function expectShape(shape: z.ZodMiniType, params: unknown): void {
  const { success, error } = z.safeParse(shape, params);
  if (success) return;
  const path = error.issues[0]?.path.join(".") ?? "";
  const place = path === "" ? "the parameters are" : `${path} is`;
  throw new ResponseError(ErrorCodes.InvalidParams, `${place} not as the protocol has it`);
}
