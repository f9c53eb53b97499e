import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { readCompilerFlags } from "../../server/src/build/arguments.ts";
import { literalWords } from "../../server/src/build/command/command.ts";
import { shellWords } from "../../server/src/build/command/words.ts";
import { targetsOfCommands } from "../../server/src/build/command-targets.ts";
import { readShellLine } from "../../server/src/build/shell-line.ts";
import { buildHost, written } from "./build-host.ts";

const origin = { file: "/p/Makefile", line: 7 };
const files = {
  "/p/opts.txt": '-DX=3 -DY="z w"\n-I "q r"\n@more.txt',
  "/p/more.txt": "-DMORE\n",
  "/p/again.txt": "@again.txt -DA",
  "/p/config.h": "",
};

/** Command line to its flags; nvcc's were compared with `nvcc --dryrun` and `nvcc -E` of 13.0. */
const flags: Readonly<Record<string, readonly string[]>> = {
  "nvcc -c a.cu": [],
  "nvcc -DX -DY=2 -D Z=3 -D=W --define-macro A=1 --define-macro=B=2 -DE=": [
    "-DX=1",
    "-DY=2",
    "-DZ=3",
    "-DW=1",
    "-DA=1",
    "-DB=2",
    "-DE=",
  ],
  "nvcc -DX=1,Y=2 -UA,B": ["-DX=1", "-DY=2", "-UA", "-UB"],
  "nvcc '-DX=\"1,2\",Y=3'": ['-DX="1,2"', "-DY=3"],
  "nvcc -DX='a\\,b'": ["-DX=a,b"],
  "nvcc '-DF(x)=x*2' -DX=a=b": ["-DF(x)=x*2", "-DX=a=b"],
  "g++ -DX=1,2 '-DMAX(a,b)=a' -UX -U Y": ["-DX=1,2", "-DMAX(a,b)=a", "-UX", "-UY"],
  'g++ -DX="a b" -DY=\\"q\\"': ["-DX=a b", '-DY="q"'],
  "g++ -Wp,-DX=4,-DY=5 -Xpreprocessor -DZ": ["-DX=4", "-DY=5", "-DZ=1"],
  "nvcc -I a -Ib -I=c -Id,e --include-path=f,g -isystem h -isystem=i --system-include j,k": [
    "-I/p/a",
    "-I/p/b",
    "-I/p/c",
    "-I/p/d",
    "-I/p/e",
    "-I/p/f",
    "-I/p/g",
    "-isystem /p/h",
    "-isystem /p/i",
    "-isystem /p/j",
    "-isystem /p/k",
  ],
  "clang++ -I../inc -isystem /usr/x -isystemy -iquote z -iquotew -idirafter v": [
    "-I/inc",
    "-isystem /usr/x",
    "-isystem /p/y",
    "-iquote /p/z",
    "-iquote /p/w",
    "-idirafter /p/v",
  ],
  "nvcc -include config.h --pre-include other.h -imacros m.h": [
    "-include /p/config.h",
    "-include other.h",
    "-imacros m.h",
  ],
  // -Xcompiler's reach the preprocessor of device code, in front of nvcc's own.
  "nvcc -DX=7 -Xcompiler -DX=8,-DY -Xcompiler=-DZ,-Iq --compiler-options '-DA -DB'": [
    "-DX=8",
    "-DY=1",
    "-DZ=1",
    "-DA=1",
    "-DB=1",
    "-DX=7",
    "-I/p/q",
  ],
  "nvcc -Xcompiler -D -Xcompiler Q=3 -Xcompiler '\"-DX=1,-DY=2\"'": ["-DQ=3", "-DX=1,-DY=2"],
  "nvcc -Xcompiler -fopenmp -Xcompiler=-std=c++14": ["-D_OPENMP=201511", "-std=c++14"],
  "nvcc -Xcompiler=-std=c++14 -std=c++17": ["-std=c++17"],
  "nvcc -arch=sm_90": ["-arch=sm_90:90"],
  "nvcc -arch sm_70 -arch compute_75": ["-arch=compute_75:75"],
  "nvcc --gpu-architecture=compute_80 --gpu-code=sm_80,compute_80,sm_86": [
    "-arch=sm_80:80",
    "-arch=sm_86:86",
  ],
  "nvcc -gencode arch=compute_80,code=sm_80 -gencode=arch=compute_90a,code=[sm_90a,compute_90a] --generate-code=arch=compute_100,code='\"compute_100,sm_100\"'":
    ["-arch=sm_80:80", "-arch=sm_90a:90", "-arch=compute_100:100"],
  "nvcc -arch=native": ["unresolved native: the GPU of the machine that builds is not known"],
  "nvcc -arch=all-major": ["unresolved all-major: code is made for every GPU that the compiler knows"],
  "clang++ --cuda-gpu-arch=sm_70 --offload-arch=sm_80 -x cuda": ["-arch=sm_70:70", "-arch=sm_80:80"],
  "nvcc -std c++17 -dc": ["-D__CUDACC_RDC__=1", "-std=c++17", "-rdc"],
  "nvcc --std=c++20 -rdc=true": ["-D__CUDACC_RDC__=1", "-std=c++20", "-rdc"],
  "nvcc --relocatable-device-code true -rdc=false": [],
  "nvcc -G --expt-relaxed-constexpr --extended-lambda -use_fast_math -lineinfo -g -O3": [
    "-D__CUDACC_DEBUG__=1",
    "-D__CUDACC_RELAXED_CONSTEXPR__=1",
    "-D__CUDACC_EXTENDED_LAMBDA__=1",
    "-D__OPTIMIZE__=1",
  ],
  "nvcc -O3 -O0 -default-stream per-thread": ["-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"],
  "nvcc -ccbin g++-12 -Xptxas -v,-DNO -Xlinker -DNO -maxrregcount 64 -MF -DNO -MT -DNO -t 4 -m 64 -o -DNO -MD -DYES":
    ["-DYES=1"],
  "g++ -MF x.d -MT -DNO -Xlinker -DNO -o -DNO -target -DNO -march=native -DYES": ["-DYES=1"],
  "nvcc -forward-unknown-to-host-compiler -march=native -mavx2 -ffast-math -fopenmp -Wall,-Wextra -DYES": [
    "-D__FAST_MATH__=1",
    "-D_OPENMP=201511",
    "-DYES=1",
  ],
  "nvcc -optf opts.txt -DZ": ["-DX=3", "-DY=z w", "-DMORE=1", "-DZ=1", "-I/p/q r"],
  "nvcc --options-file opts.txt": ["-DX=3", "-DY=z w", "-DMORE=1", "-I/p/q r"],
  "g++ @opts.txt": ["-DX=3", "-DY=z w", "-DMORE=1", "-I/p/q r"],
  "g++ @missing.txt -DX": ["-DX=1", "unresolved missing.txt: the file of options can't be read"],
  "g++ -DX=$N -DY$N -I$ROOT/include $FLAGS -DZ": [
    "-DX=?",
    "-DZ=1",
    "unresolved -DY$N: the variable $N is not known",
    "unresolved $ROOT/include: the variable $ROOT is not known",
    "unresolved $FLAGS: the variable $FLAGS is not known",
  ],
  "g++ -DREV=`git rev-parse HEAD` -DB=$(nproc) -DC": ["-DREV=?", "-DB=?", "-DC=1"],
  "g++ -DKNOWN=$THREE $TWO": ["-DKNOWN=3", "-DA=1", "-DB=1"],
  "cl.exe /nologo /DX=1 /D Y -DZ /I inc /FIconfig.h /std:c++17 /Fox.obj /c a.cpp": [
    "-DX=1",
    "-DY=1",
    "-DZ=1",
    "-I/p/inc",
    "-include /p/config.h",
    "-std=c++17",
  ],
  "env A=b FOO=/usr/bin/gcc nvcc -DX": ["-DX=1"],
  "CC=gcc ccache nvcc -DX": ["-DX=1"],
  "/usr/bin/time -f %e sccache /usr/local/cuda/bin/nvcc -DX": ["-DX=1"],
  "cmake -E env A=1 -- nvcc -DX": ["-DX=1"],
  "/opt/x86_64-linux-gnu-g++-12 -DX": ["-DX=1"],
  "$(NVCC) -DX": ["-DX=1"],
};

describe("flags of a command line", () => {
  for (const [line, expected] of Object.entries(flags)) {
    test(line, () => {
      const variables: Readonly<Record<string, string>> = { THREE: "3", TWO: "-DA -DB" };
      const host = buildHost(files);
      const { commands } = readShellLine(
        host,
        `${line} -c x.cu`,
        "/p",
        origin,
        (name) => variables[name] ?? null,
      );
      expect(commands.map((command) => written(command.flags))).toEqual([expected]);
    });
  }

  test("a file of options that names itself ends", () => {
    const words = literalWords(["@again.txt"], origin);
    const { flags: read } = readCompilerFlags(buildHost(files), words, "/p", "gcc");
    expect(read.unresolved.length).toBe(1);
  });

  test("what stands in a file of options comes from there", () => {
    const { flags: read } = readCompilerFlags(
      buildHost(files),
      literalWords(["@opts.txt"], origin),
      "/p",
      "gcc",
    );
    expect(read.includePaths[0]?.origin).toEqual({ file: "/p/opts.txt", line: 2 });
    expect(read.macros.at(-1)?.origin).toEqual({ file: "/p/more.txt", line: 1 });
  });

  test("a word that may not be passed makes a doubt", () => {
    const words = literalWords(["-DX=2", "-Iinc"], origin).map((word) => ({
      ...word,
      doubt: "DEBUG is not known",
    }));
    const { flags: read } = readCompilerFlags(buildHost(files), words, "/p", "nvcc");
    expect(written(read)).toEqual(["-DX=2 ?", "-I/p/inc ?"]);
  });
});

/** Commands to what they compile and link: `SOURCE language -> OBJECT` and `KIND OUTPUT: inputs`. */
const steps: Readonly<Record<string, readonly string[]>> = {
  "nvcc -c a.cu -o build/a.o": ["/p/a.cu cuda -> /p/build/a.o"],
  "nvcc -c src/a.cu b.cpp c.c": [
    "/p/src/a.cu cuda -> /p/a.o",
    "/p/b.cpp c++ -> /p/b.o",
    "/p/c.c c -> /p/c.o",
  ],
  "nvcc -odir out -dc a.cu b.cu": ["/p/a.cu cuda -> /p/out/a.o", "/p/b.cu cuda -> /p/out/b.o"],
  "nvcc -x cu a.cpp -c": ["/p/a.cpp cuda -> /p/a.o"],
  "nvcc a.cpp -x cu -c": ["/p/a.cpp cuda -> /p/a.o"],
  "g++ a.cpp -x c b.cpp -x none c.cc -c": [
    "/p/a.cpp c++ -> /p/a.o",
    "/p/b.cpp c -> /p/b.o",
    "/p/c.cc c++ -> /p/c.o",
  ],
  "clang++ -x cuda -c a.cpp": ["/p/a.cpp cuda -> /p/a.o"],
  "nvcc_wrapper -c a.cpp": ["/p/a.cpp cuda -> /p/a.o"],
  "nvcc a.cu b.o -Lx -lm -lcublas -o app": ["/p/a.cu cuda", "executable /p/app: /p/b.o -lm -lcublas -L/p/x"],
  "nvcc -shared -Xcompiler -fPIC a.cu -o liba.so": ["/p/a.cu cuda", "shared-library /p/liba.so: "],
  "nvcc -dlink a.o b.o -o link.o": ["device-link /p/link.o: /p/a.o /p/b.o"],
  "nvcc -lib a.o -o liba.a": ["static-library /p/liba.a: /p/a.o"],
  "ar rcs libk.a a.o b.o": ["static-library /p/libk.a: /p/a.o /p/b.o"],
  "ar t libk.a": [],
  "nvcc -M a.cu -o a.d": [],
  "nvcc --version": [],
  "g++ -ptx": [],
  "nvcc -ptx a.cu": ["/p/a.cu cuda -> /p/a.o"],
  "cd src && nvcc -c a.cu -o ../a.o && cd .. && g++ -c b.cpp": [
    "/p/src/a.cu cuda -> /p/a.o",
    "/p/b.cpp c++ -> /p/b.o",
  ],
  "(cd src; nvcc -c a.cu); nvcc -c b.cu": ["/p/src/a.cu cuda -> /p/src/a.o", "/p/b.cu cuda -> /p/b.o"],
  "mkdir -p out || true; nvcc -c a.cu -o out/a.o > log 2>&1 | tee x": ["/p/a.cu cuda -> /p/out/a.o"],
  "if [ -f a.cu ]; then nvcc -c a.cu; fi": ["/p/a.cu cuda -> /p/a.o"],
  "nvcc -c a.cu \\\n -o a.out # -o b\n echo nvcc -c no.cu": ["/p/a.cu cuda -> /p/a.out"],
  "cd /x && cd y && nvcc -c a.cu": ["/x/y/a.cu cuda -> /x/y/a.o"],
  "rm -f a.cu": [],
  '"C:\\cuda\\bin\\nvcc.exe" -c C:\\src\\a.cu -o C:\\out\\a.obj -D"X=\\"q\\""': [
    "C:/src/a.cu cuda -> C:/out/a.obj",
  ],
};

describe("what a command does", () => {
  for (const [line, expected] of Object.entries(steps)) {
    test(line, () => {
      const { commands } = readShellLine(buildHost(files), line, "/p", origin);
      const found = commands.flatMap(({ sources, objects, link, output }) => [
        ...sources.map(
          ({ path, language }, at) => `${path} ${language}${objects[at] ? ` -> ${objects[at]}` : ""}`,
        ),
        ...(link === null
          ? []
          : [
              `${link.kind} ${output}: ${[
                ...link.inputs,
                ...link.libraries.map((one) => `-l${one}`),
                ...link.libraryPaths.map((one) => `-L${one}`),
              ].join(" ")}`,
            ]),
      ]);
      expect(found).toEqual(expected);
    });
  }
});

test("the programs of several commands", () => {
  const { commands } = readShellLine(
    buildHost({}),
    "nvcc -dc k.cu -o k.o; nvcc -dc k.cu -DBIG -o k2.o; g++ -c main.cpp -o main.o; nvcc -dlink k.o -o dl.o; ar rcs lib/libu.a u.o; g++ -c u.cpp -o u.o;" +
      "g++ main.o k.o dl.o -Llib -lu -lcudart -o app; nvcc main2.cu k2.o lib/libu.a -o bench",
    "/p",
    origin,
  );
  const { sources, targets } = targetsOfCommands(commands);
  expect(targets.map(({ name, kind, sources: all, links }) => [name, kind, all, links])).toEqual([
    ["u", "static-library", ["/p/u.cpp"], []],
    ["app", "executable", ["/p/main.cpp", "/p/k.cu"], ["u"]],
    ["bench", "executable", ["/p/main2.cu", "/p/k.cu"], ["u"]],
  ]);
  expect(sources.map(({ path, target }) => [path, target])).toEqual([
    ["/p/k.cu", "app"],
    ["/p/k.cu", "bench"],
    ["/p/main.cpp", "app"],
    ["/p/u.cpp", "u"],
    ["/p/main2.cu", "bench"],
  ]);
});

/** Each as sh parts it: asked of the machine's own. */
const quoted = [
  'a b -DX="a b" -DX=\\"a\\"',
  `'-DX="a b"' "-DX=\\"a b\\"" a'b'"c"d 'a'\\''b'`,
  '"a\\b" "a\\\\b" a\\\\b -DF\\(x\\)=x \'\' "" -DX=""',
  "a#b '#c' x\\#y",
  'a \\\n b "c\\\nd"',
  `"it's" 'say "x"' -DA="x"'y'\\z "-D'X=1'" \\'a\\'`,
  "-DX=a\\;b 'a&&b' \"a;b\"",
];

describe("words as sh parts them", () => {
  for (const line of quoted) {
    test(line, () => {
      const script = `node -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- ${line}`;
      const expected: unknown = JSON.parse(execFileSync("sh", ["-c", script], { encoding: "utf8" }));
      expect(shellWords(line, origin).map(({ text }) => text)).toEqual(expected);
    });
  }
});
