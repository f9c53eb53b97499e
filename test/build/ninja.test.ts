import { expect, test } from "vitest";
import { readCompileCommands } from "../../server/src/build/compile-commands.ts";
import { readNinja } from "../../server/src/build/ninja.ts";
import { buildHost, sourcesOf, targetsOf } from "./build-host.ts";

const build = `ninja_required_version = 1.5
# flags of all
root = ..
flags = -O3 -DALL
include rules.ninja
nvcc_flags = $flags -arch=sm_90

build k.o: nvcc $root/src/k.cu | generated.h || order
  extra = -DTILE=16 -DPRICE=$$5 $
      -DLONG

build a$ b.o: nvcc $root/src/a$ b.cu
build main.o k2.o: cxx $root/main.cpp
  flags = \${flags} -DMAIN
build libk.a: archive k.o a$ b.o
build objects: phony main.o
build app | app.map: link objects libk.a
build C$:/x: phony missing
subninja sub/sub.ninja
build other: touch k.o
default app
`;

test("build.ninja: scopes, escapes, rules, response files, programs", () => {
  const host = buildHost({
    "/p/build/build.ninja": build,
    "/p/build/rules.ninja":
      "rule nvcc\n  command = ccache nvcc $nvcc_flags $extra -c $in -o $out && touch $out.d\n  depfile = $out.d\n" +
      "rule cxx\n  command = g++ $flags -c $in -o main.o\nrule archive\n  command = rm -f $out && ar rcs $out $in\n" +
      "rule link\n  command = g++ @$rspfile -o app -lcudart\n  rspfile = $out.rsp\n  rspfile_content = $in_newline -Llib\nrule touch\n  command = touch $out\npool heavy\n  depth = 2\n",
    "/p/build/sub/sub.ninja":
      "flags = -DSUB\nbuild sub.o: cxx s.cpp\nrule cxx\n  command = g++ $flags $root -c $in -o $out\n",
  });
  const description = readNinja(host, "/p/build/build.ninja");
  const cuda = "-D__OPTIMIZE__=1 -DALL=1";
  expect(sourcesOf(description)).toEqual([
    // A shell takes $5 for a parameter, as ninja's own would.
    `/p/src/k.cu cuda k: ${cuda} -DTILE=16 -DPRICE=? -DLONG=1 -arch=sm_90:90`,
    `/p/src/a b.cu cuda k: ${cuda} -arch=sm_90:90`,
    "/p/main.cpp c++ app: -D__OPTIMIZE__=1 -DALL=1 -DMAIN=1",
    "/p/build/s.cpp c++ -: -DSUB=1",
  ]);
  expect(targetsOf(description)).toEqual([
    "static-library k: /p/src/k.cu /p/src/a b.cu",
    "executable app: /p/main.cpp <- k",
  ]);
  expect(description?.sources[0]?.flags.macros.at(-1)?.origin).toEqual({
    file: "/p/build/build.ninja",
    line: 8,
  });
  expect(description?.readFiles).toEqual([
    "/p/build/build.ninja",
    "/p/build/rules.ninja",
    "/p/build/sub/sub.ninja",
  ]);
});

test("the programs of a compile_commands.json are those of the build.ninja beside it", () => {
  const host = buildHost({
    "/p/build/build.ninja":
      "rule cu\n  command = nvcc -c $in -o $out\nrule link\n  command = g++ $in -o $out\n" +
      "build CMakeFiles/tool.dir/a.cu.o: cu ../a.cu\nbuild bin/named: link CMakeFiles/tool.dir/a.cu.o\n",
    "/p/build/compile_commands.json": JSON.stringify([
      { directory: "/p/build", file: "../a.cu", command: "nvcc -c ../a.cu -o CMakeFiles/tool.dir/a.cu.o" },
    ]),
    "/p/a.cu": "",
  });
  const description = readCompileCommands(host, "/p/build/compile_commands.json");
  expect(sourcesOf(description)).toEqual(["/p/a.cu cuda tool: "]);
  expect(targetsOf(description)).toEqual(["executable tool: /p/a.cu"]);
  expect(description?.readFiles).toContain("/p/build/build.ninja");
});

test("what is no build.ninja", () => {
  for (const text of [
    "",
    "rule",
    "build a: b",
    "build a",
    "x = $x$x\ny = $-x-$",
    "include build.ninja\n",
    "rule r\n  command = $command\nbuild a: r\n",
  ]) {
    expect(readNinja(buildHost({ "/p/build.ninja": text }), "/p/build.ninja")).toBeNull();
  }
});
