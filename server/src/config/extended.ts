// A configuration laid over those that it extends.
import { type Config, configSchema } from "./schema.ts";

type Written = Readonly<Record<string, unknown>>;

/** `own` over `base`, both as they stand in their files: objects key by key, lists one behind the other, all else replaced. */
export function laidOver(base: Written, own: Written): Written {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(own)) {
    const below = Object.hasOwn(base, key) ? base[key] : undefined;
    merged[key] =
      isObject(value) && isObject(below)
        ? { ...below, ...value }
        : Array.isArray(value) && Array.isArray(below)
          ? [...below, ...value]
          : value;
  }
  return merged;
}

/** With defaults; null where it is no configuration, which each of its parts is by itself. */
export function withDefaults(written: Written): Config | null {
  const parsed = configSchema.safeParse(written);
  return parsed.success ? parsed.data : null;
}

function isObject(value: unknown): value is Written {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
