// The names that variables and types have in MIR's text.
import type { RecordType, Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";

/** Gives each variable a name of its own, and writes types; knows at the end which variables and records were named. */
export class Names {
  readonly #variables = new Map<number, { readonly name: string; readonly variable: Variable }>();
  readonly #counts = new Map<string, number>();
  readonly #records = new Map<string, RecordType>();

  of(variable: Variable): string {
    const known = this.#variables.get(variable.id);
    if (known) return known.name;
    const count = (this.#counts.get(variable.name) ?? 0) + 1;
    this.#counts.set(variable.name, count);
    const unique = count === 1 ? variable.name : `${variable.name}'${count}`;
    const name = plainName.test(unique) ? unique : JSON.stringify(unique);
    this.#variables.set(variable.id, { name, variable });
    return name;
  }

  type(type: Type): string {
    switch (type.kind) {
      case "void":
        return "void";
      case "boolean":
        return "bool";
      case "integer":
        return `${type.signed ? "i" : "u"}${type.bits}`;
      case "float":
        return floatNames[type.format];
      case "pointer":
        return `${this.type(type.target)}*`;
      case "array":
        return `${this.type(type.element)}[${type.count}]`;
      case "record": {
        const name = JSON.stringify(type.name);
        if (!this.#records.has(name)) this.#records.set(name, type);
        return name;
      }
      case "function":
        return "fn";
      case "unknown":
        return `?${JSON.stringify(type.reason)}`;
    }
  }

  /** A line for each record that was named, and for those that their fields name. */
  recordLines(): readonly string[] {
    const lines: string[] = [];
    // What is added while the map is walked over is walked over as well.
    for (const [name, { sizeBytes, alignmentBytes, fields }] of this.#records) {
      const parts = fields.map(
        (field) => ` ${JSON.stringify(field.name)} ${field.offsetBytes} ${this.type(field.type)}`,
      );
      lines.push(`record ${name} ${sizeBytes} ${alignmentBytes}${parts.join("")}`);
    }
    return lines;
  }

  /** A line for each variable that was named. */
  variableLines(): readonly string[] {
    return [...this.#variables.values()].map(
      ({ name, variable }) =>
        `var ${name} ${variable.storage} ${variable.alignmentBytes} ${this.type(variable.type)}`,
    );
  }
}

export const floatNames = { half: "f16", bfloat16: "bf16", single: "f32", double: "f64" } as const;

const plainName = /^[A-Za-z_$][\w$']*$/;
