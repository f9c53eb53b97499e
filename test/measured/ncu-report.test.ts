// Nsight Compute's own files: a report of ours, made by the numbers that its messages have, around a cubin that nvcc 13 made of fixtures/lines.cu.
import { readFileSync } from "node:fs";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { describe, expect, it } from "vitest";
import { linesOfCubin, rowsAt } from "../../server/src/measured/cubin-lines.ts";
import { readNcuReport } from "../../server/src/measured/ncu-report.ts";
import { cubin, reportOf } from "./reports.ts";

describe("lines of a cubin", () => {
  const lines = linesOfCubin(cubin);
  // What `readelf --debug-dump=decodedline` prints of the instructions that access memory.
  it.each([
    ["_Z1kPfPKf", 0x60, [6, 2]],
    ["_Z1kPfPKf", 0x120, [6]],
    ["_Z1kPfPKf", 0x140, [8]],
    ["_Z1kPfPKf", 0x150, [8]],
    ["_Z3twoIiEvPT_", 0x70, [10]],
  ])("%s + %i is of lines %j", (name, offset, expected) => {
    const rows = rowsAt(lines.get(name) ?? [], offset);
    expect(rows.map(({ file, line }) => [file, line])).toEqual(
      expected.map((line) => ["/tmp/src/lines.cu", line]),
    );
  });
});

describe("reports", () => {
  it("gives launches with the figures of their lines", () => {
    const { kind, launches } = readNcuReport(reportOf()) as Extract<
      ReturnType<typeof readNcuReport>,
      { kind: "launches" }
    >;
    expect(kind).toBe("launches");
    expect(launches).toEqual([
      {
        signature: "k(float *, const float *)",
        kernel: "k",
        templateArguments: [],
        block: [32, 32, 1],
        grid: [1, 1, 1],
        sharedBytes: 0,
        totals: { wavefronts: 1056, idealWavefronts: 64, sectors: 384, idealSectors: 256 },
        lines: [
          // The load stands in a function that is called here.
          {
            line: 6,
            ...{ wavefronts: 32, idealWavefronts: 32, sectors: 256, idealSectors: 128 },
            alsoAt: [{ file: "/tmp/src/lines.cu", line: 2 }],
          },
          {
            line: 8,
            ...{ wavefronts: 1024, idealWavefronts: 32, sectors: 128, idealSectors: 128 },
            alsoAt: [],
          },
        ].map((line) => ({ file: "/tmp/src/lines.cu", ...line })),
      },
      expect.objectContaining({
        signature: "void two<int>(T1 *)",
        kernel: "two",
        templateArguments: ["int"],
        block: [64, 1, 1],
        grid: [4, 1, 1],
      }),
    ]);
  });

  it("a cut report, another version and bytes that are no messages get a message", () => {
    const whole = reportOf();
    const message = (bytes: Uint8Array): string => {
      const read = readNcuReport(bytes);
      return read.kind === "error" ? read.message : "read";
    };
    for (let length = 4; length < whole.length; length += 97)
      // Between two blocks a report may end.
      expect(message(whole.subarray(0, length))).toMatch(
        /^(the report is cut off|the report cannot be|read|a report of|the report has)/,
      );
    expect(message(whole.subarray(0, whole.length - 1))).toMatch(
      /^the report is cut off\. Export it: `ncu --import FILE/,
    );
    expect(message(reportOf({ version: 8 }))).toMatch(
      /^a report of version 8; version 7 can be read\. Export it/,
    );
    const broken = whole.slice();
    broken.fill(0xff, 60);
    expect(message(broken)).toMatch(/^the report (cannot be decoded|is cut off)\./);
  });

  it("a report without the figures says what to collect", () => {
    expect(readNcuReport(reportOf({ metrics: [] }))).toEqual({
      kind: "error",
      message: expect.stringMatching(
        /no figures of memory accesses\. Collect with `ncu --section SourceCounters/,
      ),
    });
  });

  it("without lines the totals stay", () => {
    const read = readNcuReport(reportOf({ code: new Uint8Array() }));
    expect(read).toMatchObject({
      kind: "launches",
      launches: [{ lines: null, totals: { wavefronts: 1056 } }, {}],
    });
    expect(read).toMatchObject({ notes: [expect.stringContaining("-lineinfo")] });
  });
});

it("the writer of these tests writes what Protocol Buffers reads", () => {
  // A message of one field, by hand: field 1, varint 7.
  expect([...new BinaryWriter().tag(1, 0).uint32(7).finish()]).toEqual([0x08, 0x07]);
  expect([...reportOf().subarray(0, 10)]).toEqual([0x4e, 0x56, 0x52, 0, 2, 0, 0, 0, 0x08, 0x07]);
  expect(readFileSync(new URL("fixtures/lines.cu", import.meta.url), "utf8")).toContain(
    "tile[threadIdx.x][threadIdx.y]",
  );
});
