import { describe, expect, test } from "vitest";
import { readCppProperties } from "../../server/src/build/c-cpp-properties.ts";
import { clangdFlags, clangdFragments, readClangd } from "../../server/src/build/clangd.ts";
import { findCompileCommands, readCompileCommands } from "../../server/src/build/compile-commands.ts";
import { readCompileFlags } from "../../server/src/build/compile-flags.ts";
import { noFlags } from "../../server/src/build/flags.ts";
import { buildHost, sourcesOf, targetsOf, written } from "./build-host.ts";

const database = JSON.stringify(
  [
    {
      directory: "/p/build",
      command:
        "/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler -DTILE=16 --options-file CMakeFiles/app.dir/includes_CUDA.rsp -O3 " +
        '"--generate-code=arch=compute_90,code=[compute_90,sm_90]" -std=c++17 -x cu -rdc=true -c /p/src/k.cu -o CMakeFiles/app.dir/src/k.cu.o',
      file: "/p/src/k.cu",
      output: "CMakeFiles/app.dir/src/k.cu.o",
    },
    {
      directory: "/p/build",
      arguments: [
        "/usr/bin/c++",
        "-I../include",
        '-DNAME="a b"',
        "-o",
        "CMakeFiles/app.dir/main.cpp.o",
        "-c",
        "../src/main.cpp",
      ],
      file: "../src/main.cpp",
    },
    {
      directory: "/p/build",
      command: "mkdir -p x && cd ../src && nvcc -DBIG -c k.cu -o k2.o",
      file: "../src/k.cu",
    },
    { directory: "build", file: "x.cu", command: "my-cuda-driver -DX -c x.cu" },
    { directory: "build", file: "none.cu", command: "" },
    { command: "nvcc -c lost.cu" },
    7,
  ],
  null,
  1,
);

test("compile_commands.json: both forms, response files, several commands, several entries of a file", () => {
  const host = buildHost({
    "/p/build/compile_commands.json": database,
    "/p/src/k.cu": "",
    "/p/build/CMakeFiles/app.dir/includes_CUDA.rsp": "-I/p/include -isystem /opt/x",
    "/p/build/CMakeFiles/app.dir/link.txt":
      "/usr/bin/g++ CMakeFiles/app.dir/src/k.cu.o CMakeFiles/app.dir/main.cpp.o -o app -lcudart",
  });
  const description = readCompileCommands(host, "/p/build/compile_commands.json");
  expect(sourcesOf(description)).toEqual([
    "/p/src/k.cu cuda app: -D__OPTIMIZE__=1 -D__CUDACC_RDC__=1 -DTILE=16 -I/p/include -isystem /opt/x -arch=compute_90:90 -std=c++17 -rdc",
    '/p/src/main.cpp c++ app: -DNAME="a b" -I/p/include',
    "/p/src/k.cu cuda -: -DBIG=1",
    "/p/build/build/x.cu cuda -: -DX=1",
  ]);
  expect(targetsOf(description)).toEqual(["executable app: /p/src/k.cu /p/src/main.cpp"]);
  expect(description?.unresolved).toEqual([]);
  const [cuda, main] = description?.sources ?? [];
  expect(cuda?.flags.macros.at(-1)?.origin.line).toBe(4);
  expect(main?.flags.includePaths[0]?.origin.line).toBe(12);
});

test("compile_commands.json of a tree that was built elsewhere", () => {
  const host = buildHost({
    "/home/me/proj/build/compile_commands.json": JSON.stringify([
      {
        directory: "/workspace/build",
        command: "nvcc -I/workspace/include -I/usr/x -I../gen -c ../src/a/k.cu",
        file: "../src/a/k.cu",
      },
      { directory: "/workspace/build", command: "nvcc -c /workspace/gone.cu", file: "/workspace/gone.cu" },
    ]),
    "/home/me/proj/src/a/k.cu": "",
  });
  expect(sourcesOf(readCompileCommands(host, "/home/me/proj/build/compile_commands.json"))).toEqual([
    "/home/me/proj/src/a/k.cu cuda -: -I/home/me/proj/include -I/usr/x -I/home/me/proj/gen",
    "/home/me/proj/gone.cu cuda -: ",
  ]);
});

test("compile_commands.json that is none", () => {
  const texts = ["", "{}", "[]", "[{", '[{"file": 1}]', "[[[]]]", '[{"file":"a.cu","arguments":[1,null]}]'];
  for (const text of texts) {
    const description = readCompileCommands(buildHost({ "/p/c.json": text }), "/p/c.json");
    expect(description?.sources ?? []).toEqual([]);
  }
});

test("where compile_commands.json is looked for", () => {
  const host = buildHost({
    "/w/compile_commands.json": "[]",
    "/w/p/.clangd": "CompileFlags:\n  CompilationDatabase: ../db\n",
    "/w/db/compile_commands.json": "[]",
    "/w/p/build-x/compile_commands.json": "[]",
    "/w/p/build/release/compile_commands.json": "[]",
    "/w/p/out/build/x64/compile_commands.json": "[]",
    "/w/p/cmake-build-debug/compile_commands.json": "[]",
    "/w/p/src/compile_commands.json": "[]",
    "/compile_commands.json": "[]",
  });
  expect(findCompileCommands(host, "/w/p/src", "/w").files).toEqual([
    "/w/p/src/compile_commands.json",
    "/w/p/build-x/compile_commands.json",
    "/w/p/cmake-build-debug/compile_commands.json",
    "/w/p/build/release/compile_commands.json",
    "/w/p/out/build/x64/compile_commands.json",
    "/w/db/compile_commands.json",
    "/w/compile_commands.json",
  ]);
});

test(".clangd adds, removes, and says for which files", () => {
  const file = "/p/.clangd";
  const text =
    "CompileFlags:\n  Add: [-DX=1, -Iinc]\n  Remove: -O*\n---\nIf:\n  PathMatch: .*\\.cuh?\n  PathExclude: [third/.*]\nCompileFlags:\n" +
    '  Add:\n    - "--cuda-gpu-arch=sm_80"\n    - -DK\n  Remove: [-DX=*, "-DOLD", -I]\n---\nDiagnostics: {}\n';
  const host = buildHost({ [file]: text });
  const others = readClangd(host, file)?.others ?? noFlags;
  expect(written(others)).toEqual(["-DX=1", "-I/p/inc"]);
  expect(others.macros[0]?.origin).toEqual({ file, line: 2 });
  const fragments = clangdFragments(host, file)?.fragments ?? [];
  const words = (path: string): string[] => written(clangdFlags(fragments, path, noFlags));
  expect(words("/p/a.cpp")).toEqual(["-DX=1", "-I/p/inc"]);
  expect(words("/p/src/a.cu")).toEqual(["-DK=1", "-arch=sm_80:80"]);
  expect(words("/p/third/a.cu")).toEqual(["-DX=1", "-I/p/inc"]);
  for (const broken of ["", "a: [", "- x", "CompileFlags: 3", "If: {PathMatch: '('}", "\t: :\n"]) {
    expect(() => readClangd(buildHost({ [file]: broken }), file)).not.toThrow();
  }
});

test("compile_flags.txt has an option a line", () => {
  const file = "/p/compile_flags.txt";
  const description = readCompileFlags(
    buildHost({ [file]: "-xcuda\n-DX=a b\n\n-I\ninc dir\n-std=gnu++17\n" }),
    file,
  );
  expect(written(description?.others ?? noFlags)).toEqual(["-DX=a b", "-I/p/inc dir", "-std=c++17"]);
  expect(description?.others?.macros[0]?.origin).toEqual({ file, line: 2 });
});

describe("c_cpp_properties.json", () => {
  const file = "/p/.vscode/c_cpp_properties.json";
  const text = `{
  // of the team
  "configurations": [
    { "name": "Win32", "defines": ["WIN"] },
    {
      "name": "Linux",
      "includePath": ["\${workspaceFolder}/include", "\${workspaceFolder}/src/**", "\${env:CUDA}/include", "\${default}"],
      "defines": ["X", "Y=2"],
      "forcedInclude": ["\${workspaceFolder}/all.h"],
      "cppStandard": "c++20",
      "compileCommands": "\${workspaceFolder}/db.json",
    },
  ],
}`;
  test("the configuration for Linux", () => {
    const host = buildHost({
      [file]: text,
      "/p/src/a/b/k.h": "",
      "/p/src/.git/x": "",
      "/p/db.json": '[{"directory":"/p","file":"k.cu","command":"nvcc -DZ -c k.cu"}]',
    });
    const description = readCppProperties(host, file);
    expect(written(description?.others ?? noFlags)).toEqual([
      "-DX=1",
      "-DY=2",
      "-I/p/include",
      "-I/p/src",
      "-I/p/src/a",
      "-I/p/src/a/b",
      "-include /p/all.h",
      "-std=c++20",
    ]);
    expect(description?.others?.macros[0]?.origin.line).toBe(8);
    expect(sourcesOf(description)).toEqual(["/p/k.cu cuda -: -DZ=1"]);
    expect(description?.unresolved.map(({ reason }) => reason)).toEqual([
      "env:CUDA is known to the editor alone",
    ]);
  });

  test("variables of the file, and options as the named compiler reads them", () => {
    const host = buildHost({
      [file]: `{
  "env": { "deps": "\${workspaceFolder}/deps", "mine": "\${deps}/mine" },
  "configurations": [
    {
      "name": "GPU",
      "includePath": ["\${deps}/include", "\${env:mine}"],
      "compilerPath": "/usr/local/cuda/bin/nvcc",
      "compilerArgs": ["-arch=sm_86", "-DARG=2"]
    }
  ]
}`,
    });
    const description = readCppProperties(host, file);
    expect(written(description?.others ?? noFlags)).toEqual([
      "-DARG=2",
      "-I/p/deps/include",
      "-I/p/deps/mine",
      "-arch=sm_86:86",
    ]);
    expect(description?.unresolved).toEqual([]);
  });
});
