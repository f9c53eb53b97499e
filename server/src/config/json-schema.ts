// The JSON schema of `warplint.json`. Apart from the schema it is made of, since only the build and the docs ask for it.
import * as z from "zod/mini";
import { configSchema } from "./schema.ts";

/** For editors, who read it while a configuration is typed. */
export function configJsonSchema(): object {
  // Draft 7 is what every editor reads; nothing here needs a later one.
  return z.toJSONSchema(configSchema, { io: "input", target: "draft-7" });
}
