// Reports as Nsight Compute writes them, made of figures: .ncu-rep files and pages of CSV.
import { readFileSync } from "node:fs";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import type { TruthRow } from "../support/truth.ts";

export const cubin = new Uint8Array(readFileSync(new URL("fixtures/lines.cubin", import.meta.url)));

interface ReportOptions {
  readonly version?: number;
  readonly code?: Uint8Array;
  /** Names of metrics; those of the other ones are left out. */
  readonly metrics?: readonly string[];
}

const names = [
  "memory_l1_wavefronts_shared",
  "memory_l1_wavefronts_shared_ideal",
  "memory_l2_theoretical_sectors_global",
  "memory_l2_theoretical_sectors_global_ideal",
];
/** Where the two kernels lie in the GPU's memory. */
const base = { k: 0x7f9100001000, two: 0x7f9100000800 };

/** fixtures/lines.cu: `k` on a block of 32 × 32 threads, `two` on 4 blocks of 64. */
export function reportOf({ version = 7, code = cubin, metrics = names }: ReportOptions = {}): Uint8Array {
  const sharedMetric = "launch__shared_mem_per_block_dynamic";
  const k = resultOf({
    text: ["_Z1kPfPKf", "k", "k(float *, const float *)"],
    grid: [1, 1, 1],
    block: [32, 32, 1],
    // By instruction: figures in the order of `names`.
    figures: [
      [base.k + 0x60, [0, 0, 256, 128]],
      [base.k + 0x120, [32, 32, 0, 0]],
      [base.k + 0x140, [1024, 32, 0, 0]],
      [base.k + 0x150, [0, 0, 128, 128]],
    ],
    metrics,
  });
  const two = resultOf({
    text: ["_Z3twoIiEvPT_", "two", "void two<int>(T1 *)"],
    grid: [4, 1, 1],
    block: [64, 1, 1],
    figures: [[base.two + 0x70, [0, 0, 64, 32]]],
    metrics,
  });
  const functions = message((writer) => {
    field(writer, 1, named("_Z1kPfPKf", base.k));
    field(writer, 1, named("_Z3twoIiEvPT_", base.two));
  });
  const source = message((writer) => {
    writer.tag(1, 0).uint64(77309411329);
    field(writer, 4, code);
    field(writer, 9, functions);
  });
  const strings = (list: readonly string[]) =>
    message((writer) => {
      for (const each of list) writer.tag(1, 2).string(each);
    });
  return joined([
    new TextEncoder().encode("NVR\0"),
    sized(message((writer) => writer.tag(1, 0).uint32(version))),
    ...block({ sources: [source], results: [], strings: strings([]) }),
    ...block({ sources: [], results: [k], strings: strings([sharedMetric, ...names.slice(0, 2)]) }),
    // The second half of the names comes with a later block.
    ...block({ sources: [], results: [], strings: strings(names.slice(2)) }),
    ...block({ sources: [], results: [two], strings: strings([]) }),
  ]);
}

interface Result {
  readonly text: readonly [string, string, string];
  readonly grid: readonly number[];
  readonly block: readonly number[];
  readonly figures: readonly (readonly [number, readonly number[]])[];
  readonly metrics: readonly string[];
}

function resultOf({ text, grid, block: shape, figures, metrics }: Result): Uint8Array {
  return message((writer) => {
    for (const [index, each] of text.entries()) writer.tag(5 + index, 2).string(each);
    field(writer, 10, extents(grid));
    field(writer, 11, extents(shape));
    field(writer, 13, metricOf(0, 0, []));
    for (const [index, name] of names.entries()) {
      if (!metrics.includes(name)) continue;
      const own = figures.map(([address, values]) => [address, values[index] ?? 0] as const);
      const sum = own.reduce((all, [, each]) => all + each, 0);
      field(
        writer,
        13,
        metricOf(
          index + 1,
          sum,
          own.filter(([, each]) => each > 0),
        ),
      );
    }
    field(
      writer,
      15,
      message((reference) => reference.tag(1, 0).uint64(77309411329)),
    );
  });
}

function metricOf(name: number, sum: number, instances: readonly (readonly [number, number])[]): Uint8Array {
  return message((writer) => {
    writer.tag(1, 0).uint32(name);
    field(writer, 2, whole(sum));
    for (const [address, count] of instances)
      field(
        writer,
        3,
        message((instance) => {
          field(instance, 1, whole(address));
          field(instance, 2, whole(count));
        }),
      );
  });
}

function whole(value: number): Uint8Array {
  return message((writer) => writer.tag(5, 0).uint64(value));
}

function named(name: string, address: number): Uint8Array {
  return message((writer) => writer.tag(1, 2).string(name).tag(2, 0).uint64(address));
}

function extents(values: readonly number[]): Uint8Array {
  return message((writer) => {
    for (const [axis, each] of values.entries()) writer.tag(axis + 1, 0).uint64(each);
  });
}

interface Block {
  readonly sources: readonly Uint8Array[];
  readonly results: readonly Uint8Array[];
  readonly strings: Uint8Array;
}

function block({ sources, results, strings }: Block): Uint8Array[] {
  const payload = [...sources, ...results].map(sized);
  const header = message((writer) => {
    writer.tag(1, 0).uint32(sources.length).tag(2, 0).uint32(results.length);
    field(writer, 4, strings);
    writer.tag(5, 0).uint32(payload.reduce((sum, { length }) => sum + length, 0));
  });
  return [sized(header), ...payload];
}

function message(write: (writer: BinaryWriter) => unknown): Uint8Array {
  const writer = new BinaryWriter();
  write(writer);
  return writer.finish();
}

function field(writer: BinaryWriter, number: number, bytes: Uint8Array): void {
  writer.tag(number, 2).bytes(bytes);
}

function sized(bytes: Uint8Array): Uint8Array {
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, bytes.length, true);
  return joined([size, bytes]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** `--page source --print-source cuda,sass --csv` of what a GPU was recorded to do. */
export function sourcePage(rows: readonly TruthRow[], folder: string): string {
  const head = [
    "Line No",
    "Source",
    "Address",
    "Source",
    "Instructions Executed",
    "L1 Wavefronts Shared",
    "L1 Wavefronts Shared Ideal",
    "L2 Theoretical Sectors Global",
    "L2 Theoretical Sectors Global Ideal",
  ];
  const csv = (cells: readonly (string | number)[]) =>
    cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(",");
  const lines = ["==PROF== Connected to process 1"];
  let address = 0x7f0000;
  for (const { kernel, sites, launches } of rows)
    for (let launch = 0; launch < launches; launch++)
      for (const file of new Set(sites.map((site) => site.file))) {
        lines.push(csv(["File Path", `${folder}/${file}`]), csv(["Function Name", kernel]), csv(head));
        for (const line of new Set(sites.filter((site) => site.file === file).map((site) => site.line))) {
          const own = sites.filter((site) => site.file === file && site.line === line);
          const figures = (some: typeof own) =>
            (["inst", "wavefronts", "ideal_wavefronts", "sectors", "ideal_sectors"] as const).map((figure) =>
              some.reduce((sum, site) => sum + (site[figure] ?? 0), 0).toLocaleString("en"),
            );
          lines.push(csv([line, 'text, with "quotes"', "", "", ...figures(own)]));
          for (const site of own) {
            address += 16;
            lines.push(
              csv(["", "", `0x${address.toString(16)}`, `      ${site.sass} R1`, ...figures([site])]),
            );
          }
        }
      }
  return `${lines.join("\n")}\n`;
}

/** `--page raw --csv` of the same. */
export function rawPage(rows: readonly TruthRow[]): string {
  const head = [
    "ID",
    "Process ID",
    "Kernel Name",
    "Block Size",
    "Grid Size",
    "launch__shared_mem_per_block_dynamic",
    ...names,
  ];
  const units = ["", "", "", "", "", "byte/block", "", "", "", ""];
  const body = rows.map(({ kernel, block: shape, grid, sites }, id) => {
    const sum = (figure: "wavefronts" | "ideal_wavefronts" | "sectors" | "ideal_sectors") =>
      sites.reduce((all, site) => all + (site[figure] ?? 0), 0);
    return [
      id,
      1,
      kernel,
      `(${shape.join(", ")})`,
      `(${grid.join(", ")})`,
      0,
      sum("wavefronts"),
      sum("ideal_wavefronts"),
      sum("sectors"),
      sum("ideal_sectors"),
    ];
  });
  return [head, units, ...body].map((cells) => cells.map((cell) => `"${cell}"`).join(",")).join("\n");
}
