// Which findings come out for which file, with stages put in place of the real ones.
import { describe, expect, it } from "vitest";
import type { Config } from "../../server/src/config/schema.ts";
import type { AccessProfile } from "../../server/src/evaluate/profile.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import type {
  FunctionDefinition,
  FunctionId,
  KernelDeclaration,
  Program,
} from "../../server/src/ir/function.ts";
import { voidType } from "../../server/src/ir/type.ts";
import type { Launch } from "../../server/src/launches/launch.ts";
import { lintFiles } from "../../server/src/lint/lint.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { createProject } from "../../server/src/project/project.ts";
import { access, lanes } from "../rules/profiles.ts";

/** A file is lines; `k` declares a kernel, `launch` launches it, `column` is a 32-way conflict, `row` is clean, `bang` throws. */
interface Unit {
  readonly file: string;
  readonly included: readonly { path: string; text: string }[];
}

const range = (file: string, text: string, word: string) => {
  const start = text.indexOf(word);
  return { file, start, end: start + word.length };
};

function fakePipeline(evaluated: string[] = []): Pipeline {
  const units = new Map<Program, Unit & { texts: Map<string, string> }>();
  return {
    read(file, text, { readInclude }) {
      if (text.includes("bang")) throw new Error("bang");
      const included = [...text.matchAll(/#include "(.*)"/g)].flatMap(
        ([, name = ""]) => readInclude(name, file, "quoted") ?? [],
      );
      const texts = new Map([[file, text], ...included.map((each) => [each.path, each.text] as const)]);
      return {
        file,
        hasRelocatableDeviceCode: false,
        units: [],
        includedFiles: included.map(({ path }) => path),
        missingIncludes: [],
        conventions: [],
        assumed: [],
        notExpanded: [],
        unclosed: [],
        reading: null,
        texts,
      };
    },
    lower([unit]) {
      if (unit === undefined) throw new Error("a program of no units");
      const kernels = [...unit.texts].flatMap(([file, text]): KernelDeclaration[] => {
        if (!text.includes("kernel")) return [];
        return [
          {
            name: file,
            qualifiedName: file,
            templateParameters: [],
            range: range(file, text, "kernel"),
            nameRange: range(file, text, "kernel"),
            annotations: [],
          },
        ];
      });
      const program: Program = {
        functionOf: (id) => definition(id),
        kindOf: (id) => definition(id).kind,
        kernels,
        instantiateKernel: () => null,
        hostEntries: [],
        hostLaunchers: [],
        unreadKernels: [],
        hasRelocatableDeviceCode: false,
        explicitInstances: () => [],
        launchSiteOf: () => null,
        globalInitializer: () => null,
      };
      units.set(program, { file: unit.file, included: [], texts: new Map(unit.texts) });
      return program;
    },
    *findLaunches() {
      yield;
      return { launches: [], gaps: [] };
    },
    launchesByKernel: () => new Map(),
    kernelLaunches(program, { name }) {
      const unit = units.get(program);
      const isLaunched = [...(unit?.texts.values() ?? [])].some((text) => text.includes("launch"));
      return { launches: [launchOf(name, isLaunched ? "launch" : "assumed")], problems: [], gap: null };
    },
    // Programs are known by what they are, so that it has to stay the same one.
    generate: (program) =>
      Object.assign(program, {
        *generating(id: FunctionId) {
          yield;
          return program.functionOf(id);
        },
      }),
    evaluatorOf: (program) =>
      function* (launch) {
        yield;
        const file = launch.kernel as string;
        evaluated.push(file);
        const text = units.get(program)?.texts.get(file) ?? "";
        return {
          launch,
          accesses: accessesOf(file, text, launch.origin.kind === "launch" && text.includes("odd")),
          gaps: [],
          steps: 0,
          seen: "all",
          isCut: false,
        };
      },
  };
}

function accessesOf(file: string, text: string, isClean: boolean): AccessProfile[] {
  return [...text.matchAll(/column|row/g)].map((match) => {
    const isRow = match[0] === "row" || isClean;
    const made = access({
      laneAddresses: lanes((lane) => lane * (isRow ? 4 : 128)),
      cost: isRow ? 1 : 32,
      ideal: 1,
    });
    return { ...made, range: { file, start: match.index, end: match.index + match[0].length } };
  });
}

function definition(id: FunctionId): FunctionDefinition {
  const at = { file: "", start: 0, end: 0 };
  return {
    id,
    name: id,
    templateArguments: [],
    templateParameterNames: [],
    kind: "kernel",
    result: voidType,
    parameters: [],
    body: [],
    maxThreadsPerBlock: null,
    range: at,
    nameRange: at,
    gaps: [],
    assumptions: [],
  };
}

function launchOf(kernel: string, kind: "launch" | "assumed"): Launch {
  return {
    kernel: kernel as FunctionId,
    grid: [1, 1, 1],
    block: [32, 1, 1],
    sharedBytes: 0,
    arguments: [],
    count: 1,
    origin: { kind, path: [] },
    assumptions: [],
  };
}

function lint(
  files: Record<string, string>,
  requested: string[],
  overrides: Partial<Config> = {},
  evaluated: string[] = [],
) {
  const host = memoryHost(files, "/w");
  const project = createProject(host, { configPath: null, overrides, includePaths: [] });
  const { reports, failures } = lintFiles(requested, host, project, fakePipeline(evaluated), { block: null });
  const found = reports.flatMap((report) =>
    report.findings.map(
      (finding) => `${report.path} ${finding.rule} ${finding.severity} ${finding.range.start}`,
    ),
  );
  return {
    found,
    files: reports.map(({ path }) => path),
    failures: failures.map(({ file, message }) => `${file}: ${message}`),
  };
}

describe("findings", () => {
  it("stand in the file of the access, headers once", () => {
    const files = {
      "/w/a.cu": '#include "k.cuh"\nlaunch',
      "/w/b.cu": '#include "k.cuh"\nlaunch kernel column',
      "/w/k.cuh": "kernel column",
    };
    expect(lint(files, ["/w/a.cu", "/w/b.cu", "/w/k.cuh"]).found).toEqual([
      "/w/b.cu shared-bank-conflict warning 31",
      "/w/k.cuh shared-bank-conflict warning 7",
    ]);
  });

  it("of a header that was not asked for are reported where there are some", () => {
    const files = { "/w/a.cu": '#include "k.cuh"\nlaunch', "/w/k.cuh": "kernel column" };
    expect(lint(files, ["/w/a.cu"]).files).toEqual(["/w/a.cu", "/w/k.cuh"]);
    expect(lint({ ...files, "/w/k.cuh": "kernel row" }, ["/w/a.cu"]).files).toEqual(["/w/a.cu"]);
  });

  it("of ignored headers are not", () => {
    const files = {
      "/w/a.cu": '#include "third/k.cuh"\nlaunch',
      "/w/third/k.cuh": "kernel column",
      "/w/.gitignore": "third/",
    };
    expect(lint(files, ["/w/a.cu"]).found).toEqual([]);
  });

  it("forget what one unit assumes where another launches", () => {
    const files = {
      "/w/a.cu": '#include "k.cuh"',
      "/w/b.cu": '#include "k.cuh"\nlaunch',
      "/w/k.cuh": "kernel odd column",
    };
    expect(lint(files, ["/w/a.cu"]).found).toEqual(["/w/k.cuh shared-bank-conflict warning 11"]);
    expect(lint(files, ["/w/a.cu", "/w/b.cu"]).found).toEqual([]);
  });

  it("on unlaunched kernels of a header cost one evaluation, not one a source", () => {
    const evaluated: string[] = [];
    const files = {
      "/w/a.cu": '#include "k.cuh"',
      "/w/b.cu": '#include "k.cuh"',
      "/w/k.cuh": "kernel column",
    };
    lint(files, Object.keys(files), {}, evaluated);
    expect(evaluated).toEqual(["/w/k.cuh"]);
  });
});

describe("configuration", () => {
  const files = { "/w/a.cu": "launch kernel column" };
  const configured = (config: string) => lint({ ...files, "/w/warplint.json": config }, ["/w/a.cu"]);
  it("sets severities", () => {
    expect(configured('{ "rules": { "shared-bank-conflict": "error" } }').found).toEqual([
      "/w/a.cu shared-bank-conflict error 14",
    ]);
    expect(configured('{ "rules": { "shared-bank-conflict": "off" } }').found).toEqual([]);
  });
  it("sets thresholds", () => {
    expect(configured('{ "thresholds": { "sharedWarning": 33 } }').found).toEqual([]);
  });
  it("that is wrong is a failure with its place", () => {
    expect(configured('{ "rulez": {} }').failures).toEqual([
      '/w/warplint.json:1:3: unknown key "rulez"; allowed here: $schema, extends, architecture, rules, thresholds, samples, overrides, launches, defines, includePaths, ignore',
    ]);
  });
});

describe("suppressions", () => {
  const found = (text: string) => lint({ "/w/a.cu": text }, ["/w/a.cu"]).found;
  it("suppress", () => {
    expect(
      found("launch kernel\n// warplint-disable-next-line shared-bank-conflict -- cold\ncolumn"),
    ).toEqual([]);
    expect(found("launch kernel\ncolumn // warplint-disable-line")).toEqual([]);
    expect(found("launch kernel\n// warplint-disable\ncolumn\n// warplint-enable\n")).toEqual([]);
  });
  it("that suppress nothing are found", () => {
    expect(found("launch kernel\n// warplint-disable-next-line shared-bank-conflict\nrow")).toEqual([
      "/w/a.cu unused-suppression warning 14",
    ]);
    expect(found("launch kernel\n// warplint-disable-next-line no-such-rule\ncolumn")).toEqual([
      "/w/a.cu unused-suppression warning 14",
      "/w/a.cu shared-bank-conflict warning 57",
    ]);
  });
  it("of rules that are off are not", () => {
    const files = {
      "/w/a.cu": "// warplint-disable-line shared-bank-conflict",
      "/w/warplint.json": '{ "rules": { "shared-bank-conflict": "off" } }',
    };
    expect(lint(files, ["/w/a.cu"]).found).toEqual([]);
  });
});

it("an internal error in one file leaves the others alone", () => {
  const { found, failures } = lint({ "/w/a.cu": "bang", "/w/b.cu": "launch kernel column" }, [
    "/w/a.cu",
    "/w/b.cu",
  ]);
  expect(found).toEqual(["/w/b.cu shared-bank-conflict warning 14"]);
  expect(failures).toEqual([
    "/w/a.cu: internal error: bang. The other files were linted; please report this.",
  ]);
});
