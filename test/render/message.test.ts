// The texts of TEXTS.md from hand-made profiles: the tone, the figures, and 90 characters.
import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../server/src/config/schema.ts";
import { arrayOf, float32, float64, uint8 } from "../../server/src/ir/type.ts";
import { headlineLength, messageOf } from "../../server/src/render/message.ts";
import { createPlaces } from "../../server/src/render/places.ts";
import { contextTexts } from "../../server/src/render/report.ts";
import type { AccessFinding } from "../../server/src/rules/finding.ts";
import { groupAccesses, type KernelProfile } from "../../server/src/rules/group.ts";
import { accessRules } from "../../server/src/rules/registry.ts";
import { access, at, file, lanes, profile, text } from "../rules/profiles.ts";
import { withoutCost } from "../support/without-cost.ts";

const places = createPlaces(new Map([[file, text]]), (path) => path.slice(path.lastIndexOf("/") + 1));

function findingsOf(profiles: readonly KernelProfile[]): AccessFinding[] {
  return groupAccesses(profiles).flatMap((group) =>
    accessRules.flatMap((rule) => rule.check(group, defaultConfig.thresholds) ?? []),
  );
}

function onlyFinding(profiles: readonly KernelProfile[]): AccessFinding {
  const findings = findingsOf(profiles);
  expect(findings).toHaveLength(1);
  return findings[0] as AccessFinding;
}

function textsOf(profiles: readonly KernelProfile[]): string[] {
  const { headline, reason } = messageOf(onlyFinding(profiles), places);
  expect(headline.length).toBeLessThanOrEqual(headlineLength);
  return [headline, withoutCost(reason)];
}

const template = (value: string) => ({ templateArguments: [value], templateParameterNames: ["T"] });

const floatColumn = access({
  name: "subMatrix",
  laneAddresses: lanes((lane) => lane * 128),
  cost: 32,
  ideal: 1,
});
const doubleColumn = access({
  name: "subMatrix",
  bytes: 8,
  type: arrayOf(arrayOf(float64, 32), 32),
  laneAddresses: lanes((lane) => lane * 256),
  cost: 32,
  ideal: 2,
});

const transposedStore = (block: readonly [number, number, number], cost: number) => {
  const [width] = block;
  return access({
    space: "global",
    operation: "store",
    name: "y",
    expression: "output[id_x * ny + id_y]",
    laneAddresses: lanes((lane) => (lane % width) * 2048 + Math.floor(lane / width) * 4),
    cost,
    ideal: 4,
    laneStride: { bytes: 2048, text: "2048" },
  });
};
const idealLoad = access({
  space: "global",
  line: 6,
  laneAddresses: lanes((lane) => lane * 4),
  cost: 4,
  ideal: 4,
  name: "x",
});

describe("bank conflicts", () => {
  it("names the call that tells instantiations apart where its label has no room for their arguments", () => {
    const finding = onlyFinding([
      profile({ kernel: template("a_name_of_a_type_that_leaves_no_room"), lines: [46, 52] }, [floatColumn]),
      profile({ kernel: template("double"), lines: [46, 53] }, [
        access({ name: "subMatrix", laneAddresses: lanes((lane) => lane * 4), cost: 1, ideal: 1 }),
      ]),
    ]);
    expect(messageOf(finding, places).headline).toBe(
      "32-way bank conflict in 1 of 2 launches: 32 wavefronts, 1 ideal (line 52)",
    );
  });

  it("A: names template argument, block and the outermost line that tells the launches apart", () => {
    const profiles = [
      profile({ kernel: template("float"), lines: [46, 52] }, [floatColumn]),
      profile({ kernel: template("double"), lines: [46, 53] }, [doubleColumn]),
    ];
    expect(textsOf(profiles)).toEqual([
      "32-way bank conflict: 32 wavefronts, 1 ideal (T=float, block (32,32), line 52)",
      "All 32 lanes read different rows of one bank: a row of subMatrix is 32 words, the number of banks. Pad the row by one element.",
    ]);
    expect(contextTexts(onlyFinding(profiles), places)).toEqual([
      "T=float, block (32,32), line 52: 32 wavefronts, 1 ideal (32.0×)",
      "T=double, block (32,32), line 53: 32 wavefronts, 2 ideal (16.0×)",
    ]);
  });

  it("F: says in how many launches where others are clean", () => {
    const padded = access({ name: "tile", laneAddresses: lanes((lane) => lane * 132), cost: 1, ideal: 1 });
    const pad = (value: string) => ({ templateArguments: [value], templateParameterNames: ["PAD"] });
    const profiles = [
      profile({ kernel: pad("0"), lines: [40, 90] }, [floatColumn]),
      profile({ kernel: pad("1"), lines: [40, 91] }, [padded]),
      profile({ kernel: pad("2"), lines: [40, 92] }, [padded]),
    ];
    expect(textsOf(profiles)[0]).toBe(
      "32-way bank conflict in 1 of 3 launches: 32 wavefronts, 1 ideal (PAD=0)",
    );
  });

  it("F: counts all launches with excess, where their figures differ", () => {
    const padded = access({ name: "tile", laneAddresses: lanes((lane) => lane * 132), cost: 1, ideal: 1 });
    const half = access({ name: "tile", laneAddresses: lanes((lane) => lane * 64), cost: 16, ideal: 1 });
    const pad = (value: string) => ({ templateArguments: [value], templateParameterNames: ["PAD"] });
    const profiles = [
      profile({ kernel: pad("0"), lines: [40, 90] }, [floatColumn]),
      profile({ kernel: pad("1"), lines: [40, 91] }, [half]),
      profile({ kernel: pad("2"), lines: [40, 92] }, [padded]),
    ];
    expect(textsOf(profiles)[0]).toBe(
      "Bank conflicts in 2 of 3 launches: at worst 32 wavefronts, 1 ideal (PAD=0)",
    );
  });

  it("F: counts the launches of which the figure is known, and says so where others are", () => {
    const padded = access({ name: "tile", laneAddresses: lanes((lane) => lane * 132), cost: 1, ideal: 1 });
    const verdict = { kind: "unknown", reason: "data[i]", dependsOnData: false, assumptions: [] } as const;
    const unknown = access({ name: "tile", laneAddresses: lanes(() => 0), cost: 1, ideal: 1, verdict });
    const pad = (value: string) => ({ templateArguments: [value], templateParameterNames: ["PAD"] });
    const profiles = [
      profile({ kernel: pad("0"), lines: [40, 90] }, [floatColumn]),
      profile({ kernel: pad("1"), lines: [40, 91] }, [padded]),
      profile({ kernel: pad("2"), lines: [40, 92] }, [unknown]),
    ];
    expect(textsOf(profiles)[0]).toBe(
      "32-way bank conflict in 1 of 2 known launches: 32 wavefronts, 1 ideal (PAD=0)",
    );
  });

  it("says N-way only where every group of lanes takes N passes", () => {
    // Lanes 0-15 (the first half-warp of 8 bytes) collide in twos, the others not at all.
    const mixed = access({
      bytes: 8,
      type: arrayOf(float64, 1024),
      laneAddresses: lanes((lane) => (lane < 16 ? (lane % 8) * 8 + Math.floor(lane / 8) * 128 : lane * 8)),
      cost: 3,
      ideal: 2,
    });
    expect(textsOf([profile({}, [mixed])])[0]).toBe(
      "Bank conflicts: 3 wavefronts, 2 ideal (1.5×) with block (32,32), line 100",
    );
  });

  it("gives averages as such where requests differ", () => {
    const varying = { ...floatColumn, isUniform: false, totals: { cost: 450, ideal: 100 } };
    const worst = { ...floatColumn.worst, isUniform: false } as typeof floatColumn.worst;
    expect(textsOf([profile({}, [{ ...varying, worst }])])[0]).toBe(
      "Bank conflicts: 4.5 wavefronts a request, 1 ideal (4.5×) with block (32,32), line 100",
    );
  });

  it("says of figures of a part of the warps that they are", () => {
    const evaluated = "48 of 64 warps were evaluated within the budget";
    const verdict = {
      kind: "conditional",
      condition: null,
      assumptions: [{ kind: "part-of-launch", evaluatedWarps: 48, warps: 64, trips: "all" }],
      dependsOnSizeOnly: false,
      byPitch: null,
    } as const;
    const [head, reason] = textsOf([profile({}, [{ ...floatColumn, verdict, totals: null }])]);
    expect(head).toBe("Bank conflicts: about 32 wavefronts a request, 1 ideal (32.0×) with block (32,32)");
    expect(reason).toContain(`(${evaluated})`);
  });

  it("gives the figure that every request has where all warps were seen, and only later trips taken as one", () => {
    const verdict = {
      kind: "conditional",
      condition: null,
      assumptions: [{ kind: "part-of-launch", evaluatedWarps: 64, warps: 64, trips: "first" }],
      dependsOnSizeOnly: false,
      byPitch: null,
    } as const;
    const part = { ...floatColumn, verdict, totals: null };
    const [head, reason] = textsOf([profile({}, [part])]);
    expect(head).toBe("32-way bank conflict: 32 wavefronts, 1 ideal (block (32,32), line 100)");
    expect(reason).toContain("later iterations of long loops counted as one");
    const worst = { ...floatColumn.worst, isUniform: false } as typeof floatColumn.worst;
    expect(textsOf([profile({}, [{ ...part, worst }])])[0]).toContain("about 32 wavefronts a request");
  });

  it("E: says that no launch was found and the figure holds for all blocks", () => {
    const strided = access({
      type: arrayOf(float32, 2048),
      laneAddresses: lanes((lane) => lane * 8),
      cost: 2,
      ideal: 1,
      laneStride: { bytes: 8, text: "8" },
    });
    const profiles = [32, 64, 128].map((x) => profile({ kind: "assumed", block: [x, 1, 1] }, [strided]));
    expect(textsOf(profiles)).toEqual([
      "2-way bank conflict: 2 wavefronts, 1 ideal",
      "The 32 lanes read 16 banks, 2 words of each: neighbouring lanes are 2 words apart. (no launch found; the same for every block.x that is a multiple of 32)",
    ]);
  });
});

describe("causes that are none", () => {
  it("does not blame the step of lanes that wrap around", () => {
    // 17 words from lane to lane would be free of conflict; that lane 16 begins anew is what brings two to a bank.
    const wrapped = access({
      bytes: 1,
      type: arrayOf(uint8, 8192),
      laneAddresses: lanes((lane) => lane * 64 + (lane % 16) * 4),
      cost: 2,
      ideal: 1,
      laneStride: { bytes: 68, text: "68" },
    });
    expect(textsOf([profile({}, [wrapped])])[1]).toBe("The 32 lanes read 16 banks, 2 words of each.");
  });

  it("does not blame the array's rows where a cast walks it at another pitch", () => {
    const recast = access({
      bytes: 8,
      type: arrayOf(arrayOf(uint8, 288), 256),
      laneAddresses: lanes((lane) => (lane >> 2) * 512 + (lane % 4) * 8),
      cost: 8,
      ideal: 2,
      laneStride: { bytes: 8, text: "8" },
    });
    expect(textsOf([profile({}, [recast])])[1]).toBe(
      "Up to 4 lanes access different words of the same bank.",
    );
  });

  it("blames no meeting of lanes where the active ones lie in several groups", () => {
    const scattered = access({
      bytes: 16,
      operation: "store",
      type: arrayOf(float32, 256),
      laneAddresses: lanes((lane) => (lane % 16 < 4 ? (lane % 16) * 16 + (lane >> 4) * 64 : null)),
      cost: 2,
      ideal: 1,
      laneStride: null,
    });
    expect(textsOf([profile({}, [scattered])])[1]).toBe(
      "The 8 active lanes lie in 2 quarter-warps, each of which takes a wavefront of its own.",
    );
  });

  it("says of a copy what its wavefronts bring, since banks alone do not make its cost", () => {
    const copy = access({
      bytes: 16,
      operation: "async-copy",
      type: arrayOf(float32, 4096),
      laneAddresses: lanes((lane) => lane * 144),
      cost: 8,
      ideal: 4,
      laneStride: null,
    });
    expect(textsOf([profile({}, [copy])])[1]).toMatch(/^One wavefront of a 16-byte copy past L1 brings/);
  });

  it("says of a copy whose lanes lie side by side that the other side is what splits its sectors", () => {
    const copy = access({
      space: "global",
      bytes: 16,
      operation: "async-copy",
      laneAddresses: lanes((lane) => lane * 16),
      cost: 24,
      ideal: 16,
      laneStride: { bytes: 16, text: "16" },
    });
    expect(textsOf([profile({}, [copy])])[1]).toBe(
      "The 16 sectors of a request move 24 times: a copy past L1 moves sectors as they lie, and both halves of one must go to the same 32 aligned bytes of shared memory.",
    );
  });

  it("does not blame the step within pairs of lanes that lie side by side", () => {
    const pairs = access({
      space: "global",
      laneAddresses: lanes((lane) => (lane >> 1) * 65536 + (lane & 1) * 4),
      cost: 16,
      ideal: 4,
      laneStride: { bytes: 4, text: "4" },
    });
    expect(textsOf([profile({ block: [2, 128, 1] }, [pairs])])[1]).toBe(
      "Only 2 floats at a time are contiguous: a request uses at most 128 of the 512 bytes that it moves. Let neighbouring lanes take neighbouring elements.",
    );
  });
});

describe("uncoalesced accesses", () => {
  it("advises a wider access where a lane's accesses lie side by side", () => {
    const part = (line: number, offset: number) =>
      access({
        space: "global",
        line,
        name: "x",
        laneAddresses: lanes((lane) => lane * 8 + offset),
        cost: 8,
        ideal: 4,
        laneStride: { bytes: 8, text: "8" },
      });
    const findings = findingsOf([profile({}, [part(5, 0), part(6, 4)])]) as AccessFinding[];
    expect(findings.map((finding) => withoutCost(messageOf(finding, places).reason))).toEqual(
      new Array(2).fill(
        "Neighbouring lanes read 2 floats apart: a request uses at most 128 of the 256 bytes that it moves. Read the 2 floats of a lane by one aligned 8-byte access, or let neighbouring lanes take neighbouring elements.",
      ),
    );
  });

  it("tells a launch whose block is not known from none at all", () => {
    const strided = access({
      space: "global",
      laneAddresses: lanes((lane) => lane * 64),
      cost: 32,
      ideal: 4,
    });
    const assumed = [32, 64].map((x) => profile({ kind: "assumed", block: [x, 1, 1] }, [strided]));
    const launched = assumed.map(({ kernel, profile: { launch, ...rest } }) => ({
      kernel,
      profile: { ...rest, launch: { ...launch, origin: { ...launch.origin, path: [at(100)] } } },
    }));
    expect(textsOf(assumed)[1]).toContain("(no launch found; ");
    expect(textsOf(launched)[1]).toContain("(the launch's block is not known; ");
  });

  it("says of a template that nothing instantiates that several arguments were tried", () => {
    const strided = access({
      space: "global",
      laneAddresses: lanes((lane) => lane * 64),
      cost: 32,
      ideal: 4,
    });
    const profiles = ["float", "double"].map((value) =>
      profile({ kind: "assumed", block: [32, 1, 1], kernel: template(value) }, [strided]),
    );
    expect(textsOf(profiles)[1]).toContain(
      "(no launch found; block (32) assumed; the same for all template arguments that were tried)",
    );
  });

  it("B: gives the condition and the shape that was assumed", () => {
    const store = (cost: number) =>
      access({
        space: "global",
        operation: "store",
        name: "y",
        expression: "y[col*m+row]",
        laneAddresses: lanes((lane) => lane * 32),
        cost,
        ideal: 4,
        requests: null,
        verdict: {
          kind: "conditional",
          condition: "m >= 8",
          assumptions: [],
          dependsOnSizeOnly: true,
          byPitch: null,
        },
        laneStride: { bytes: null, text: "4*m" },
      });
    const profiles = [
      profile({ kind: "assumed", block: [32, 8, 1] }, [store(32), idealLoad]),
      profile({ kind: "assumed", block: [16, 16, 1] }, [store(16), idealLoad]),
      profile({ kind: "assumed", block: [8, 32, 1] }, [store(8), idealLoad]),
    ];
    expect(textsOf(profiles)).toEqual([
      "Uncoalesced store: 32 sectors, 4 ideal (8.0×) for any m >= 8, block (32,8) assumed",
      "Neighbouring lanes write m floats apart, so each lane opens a 32-byte sector of its own. Stage the tile through shared memory.",
    ]);
  });

  it("gives a stride of several terms as one sum, whichever way the lanes go", () => {
    const textOf = (text: string) => {
      const store = access({
        space: "global",
        operation: "store",
        name: "y",
        expression: "y[i*m+i]",
        laneAddresses: lanes((lane) => lane * 32),
        cost: 32,
        ideal: 4,
        requests: null,
        verdict: {
          kind: "conditional",
          condition: "m >= 8",
          assumptions: [],
          dependsOnSizeOnly: true,
          byPitch: null,
        },
        laneStride: { bytes: null, text },
      });
      return textsOf([profile({ kind: "launch", block: [32, 8, 1] }, [store])])[1];
    };
    expect(textOf("-4*m + -4")).toMatch(/^Neighbouring lanes write m \+ 1 floats apart/);
    expect(textOf("8*m + -4*n + 12")).toMatch(/^Neighbouring lanes write 2\*m - n \+ 3 floats apart/);
    expect(textOf("4*m + 2")).toMatch(/^Neighbouring lanes write 4\*m \+ 2 bytes apart/);
  });

  it("F: sets blocks that differ against each other", () => {
    const values = [0, 0, 2048, 512].map((value) => ({ kind: "scalar" as const, value }));
    const kernel = { parameterNames: ["output", "input", "nx", "ny"] };
    const profiles = [
      profile({ kernel, block: [8, 32, 1], lines: [18, 42, 107], arguments: values }, [
        transposedStore([8, 32, 1], 8),
        idealLoad,
      ]),
      profile({ kernel, block: [32, 8, 1], lines: [18, 42, 108], arguments: values }, [
        transposedStore([32, 8, 1], 32),
        idealLoad,
      ]),
    ];
    expect(textsOf(profiles)).toEqual([
      "Uncoalesced store: 32 sectors, 4 ideal (8.0×) with block (32,8); 2.0× with (8,32)",
      "Neighbouring lanes write ny = 512 floats apart. Block (8,32) writes 4 neighbouring floats a column; the load is ideal with both.",
    ]);
  });
});

describe("misaligned vector accesses", () => {
  it("C: names the term whose step is too small", () => {
    const store = access({
      space: "global",
      operation: "store",
      bytes: 16,
      name: "y",
      expression: "FLOAT4(y[(blockDim.x*blockIdx.x*4+ tid/8)*m + blockDim.y*blockIdx.y+ (tid%8)])",
      laneAddresses: lanes((lane) => (lane % 8) * 4 + Math.floor(lane / 8) * 2048),
      cost: 8,
      ideal: 16,
      misaligned: { lanes: 24, requests: 100, allRequests: 100, isCertain: true },
    });
    expect(textsOf([profile({}, [store])])).toEqual([
      "Misaligned float4 store: 24 of 32 lanes off the 16-byte boundary, the kernel will fault",
      "The index ends in tid%8, a step of 4 bytes; a float4 needs steps of 16, whatever m is (cudaErrorMisalignedAddress). Did you mean (tid%8)*4?",
    ]);
  });

  it("C: names the row whose length is no multiple of the width", () => {
    const store = access({
      operation: "store",
      bytes: 16,
      type: arrayOf(arrayOf(float32, 129), 32),
      expression: "FLOAT4(tile[tidy][tidx*4])",
      laneAddresses: lanes((lane) => 516 + lane * 16),
      cost: 4,
      ideal: 4,
      requests: 16 * 32,
      misaligned: { lanes: 32, requests: 16 * 24, allRequests: 16 * 32, isCertain: true },
    });
    expect(textsOf([profile({ lines: [141] }, [store])])).toEqual([
      "Misaligned float4 store in 24 of 32 warps, the kernel will fault (block (32,32), line 141)",
      "A row of tile is 129 floats = 516 bytes, no multiple of 16: rows 1-3, 5-7, … start off the boundary.",
    ]);
  });
});
