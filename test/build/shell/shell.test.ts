// Scripts that call compilers, read as the shell runs them.
import { expect, it } from "vitest";
import { readShell } from "../../../server/src/build/shell.ts";
import { buildHost, sourcesOf, targetsOf } from "../build-host.ts";

const read = (script: string, file = "/p/build.sh") =>
  readShell(
    buildHost({ [file]: script, "/p/a.cu": "", "/p/b.cu": "", "/p/src/k.cu": "", "/p/src/l.cu": "" }),
    file,
    "/p",
  );

it("variables, defaults, quotes and lists", () => {
  const description = read(`#!/usr/bin/env bash
set -euo pipefail
ARCH=\${ARCH:-sm_90}
NVCC=\${NVCC:-nvcc}
FLAGS=(-O3 -DX=1 "-DNAME=a b")
FLAGS+=(-Iinclude)
MORE="-DY -DZ=\${N:-4}"
"$NVCC" -arch=$ARCH "\${FLAGS[@]}" $MORE \\
  -DLAST a.cu -o "app"
`);
  expect(sourcesOf(description)).toEqual([
    "/p/a.cu cuda app: -D__OPTIMIZE__=1 -DX=1 -DNAME=a b -DY=1 -DZ=4 -DLAST=1 -I/p/include -arch=sm_90:90",
  ]);
  expect(targetsOf(description)).toEqual(["executable app: /p/a.cu"]);
  expect(description?.sources[0]?.flags.macros.map(({ origin }) => origin.line)).toEqual([5, 5, 5, 7, 7, 9]);
});

it("loops, functions and the script's own directory", () => {
  const description = read(
    `cd "$(dirname "$0")/.."
build() {
  local name=$1
  nvcc -DNAME=$name -c "src/$name.cu" -o "out/\${name}.o"
}
for f in src/*.cu; do
  base=\${f##*/}
  build "\${base%.cu}"
done
(cd src && nvcc -I. -c k.cu -o other.o)
for n in 16 32; do nvcc -DN=$((n * 2)) a.cu -o a$n; done
`,
    "/p/scripts/build.sh",
  );
  expect(sourcesOf(description)).toEqual([
    "/p/src/k.cu cuda -: -DNAME=k",
    "/p/src/l.cu cuda -: -DNAME=l",
    "/p/src/k.cu cuda -: -I/p/src",
    "/p/a.cu cuda a16: -DN=32",
    "/p/a.cu cuda a32: -DN=64",
  ]);
});

it("what the caller gives is not known, and both ways count", () => {
  const description = read(`
if ! command -v nvcc > /dev/null; then echo "no nvcc"; exit 1; fi
case "$1" in
  debug) FLAGS="-DDEBUG" ;;
  *) FLAGS="-DNDEBUG" ;;
esac
if [ -z "$FAST" ]; then FLAGS="$FLAGS -DSLOW"; fi
nvcc $FLAGS -DSIZE=\${2:-64} a.cu -o app
nvcc -DN=$COUNT b.cu -o b
`);
  expect(sourcesOf(description)).toEqual([
    "/p/a.cu cuda app: -DNDEBUG=1 ? -DSLOW=1 -DSIZE=64 -DDEBUG=1 ?",
    "/p/b.cu cuda b: -DN=?",
  ]);
});

it.each([
  ["quotes without an end", "nvcc a.cu \"$( 'x"],
  ["words that close nothing", "done fi } esac ) ;; nvcc a.cu"],
  ["a function of itself", "f() { f; nvcc a.cu; }; f"],
  ["a script of itself", "nvcc a.cu; bash build.sh"],
  ["loops without an end", "while :; do nvcc a.cu; done; for ((i=0;i<9;i++)); do nvcc b.cu; done"],
  ["a here-document without an end", "cat <<EOF\nnvcc a.cu"],
  ["brackets in brackets", `nvcc a.cu ${"$(".repeat(4000)}`],
])("%s ends", (_, script) => {
  expect(() => read(script)).not.toThrow();
});
