// What hangs on what a makefile does not say: doubts, values that are not known, and where flags are written.
import { describe, expect, it } from "vitest";
import { readMake } from "../../../server/src/build/make/make.ts";
import { buildHost, sourcesOf, targetsOf } from "../build-host.ts";

const read = (makefile: string, files: Record<string, string> = {}) =>
  readMake(
    buildHost({ "/p/Makefile": makefile, "/p/a.cu": "", "/p/b.cu": "", ...files }),
    "/p/Makefile",
    "/p",
  );

describe("a condition on what is not known", () => {
  it("takes both ways, and what differs is doubtful", () => {
    const description = read(`
ifeq ($(shell hostname),arm)
FLAGS += -DARM -DWIDTH=64
else
FLAGS += -DWIDTH=32 -Ix86
endif
app: a.cu
	nvcc -DALL $(FLAGS) a.cu -o app
`);
    expect(sourcesOf(description)).toEqual(["/p/a.cu cuda app: -DALL=1 -DWIDTH=? -DARM=1 ? -I/p/x86 ?"]);
    expect(description?.sources[0]?.flags.macros[1]?.doubt).toContain("hostname");
  });

  it("is known where the build stops on the other way", () => {
    const description = read(`
NVCC := $(shell which nvcc)
ifeq ($(NVCC),)
$(error there is no nvcc)
endif
app: a.cu
	$(NVCC) -DA $< -o $@
`);
    expect(sourcesOf(description)).toEqual(["/p/a.cu cuda app: -DA=1"]);
  });

  it("is decided once: the same is the same later on", () => {
    const description = read(`
HOST := $(shell hostname)
TARGET ?= $(HOST)
ifneq ($(TARGET),$(HOST))
FLAGS += -DCROSS
endif
ifeq ($(HOST),aarch64)
FLAGS += -DARM
endif
ifneq ($(HOST),aarch64)
FLAGS += -DNO_ARM
endif
app: a.cu
	nvcc $(FLAGS) a.cu -o app
`);
    expect(sourcesOf(description)).toEqual(["/p/a.cu cuda app: -DNO_ARM=1 ? -DARM=1 ?"]);
  });

  it("within a recipe", () => {
    const description = read(`
app: a.cu
	if [ -d /opt/mpi ]; then nvcc -DMPI a.cu -o app; else nvcc a.cu -o app; fi
	if [ -f a.cu ]; then nvcc -DHAS_A b.cu -o b; fi
`);
    expect(sourcesOf(description)).toEqual(["/p/a.cu cuda app: -DMPI=1 ?", "/p/b.cu cuda b: -DHAS_A=1"]);
  });
});

describe("a value that is not known", () => {
  it("is none, with its reason", () => {
    const description = read(`
app: a.cu
	nvcc -DVERSION=$(shell git describe) -I$(HOME)/include -DN=$(words a b) $(shell pkg-config --cflags x) a.cu -o app
`);
    expect(sourcesOf(description)).toEqual([
      "/p/a.cu cuda app: -DVERSION=? -DN=2 unresolved $(HOME)/include: HOME is a variable of the environment " +
        "unresolved $(pkg-config --cflags x): the output of a command is not known",
    ]);
  });

  it("is empty where nobody gave a variable to make", () => {
    expect(sourcesOf(read("app: a.cu\n\tnvcc $(EXTRA) -DN=$(N) a.cu -o app\n"))).toEqual([
      "/p/a.cu cuda app: -DN=",
    ]);
  });
});

it("a flag's origin is the line that one would edit", () => {
  const description = read(`BLOCK = 64
NVCCFLAGS = -O3 \\
	-DFIRST
NVCCFLAGS += -DBLOCK=$(BLOCK)
DIRS = one two
ifdef NEVER
endif
NVCCFLAGS += $(addprefix -I,$(DIRS)) -arch=sm_90
app: a.cu
	nvcc $(NVCCFLAGS) -DRECIPE $< -o $@
`);
  const flags = description?.sources[0]?.flags;
  expect([...(flags?.macros ?? [])].map(({ name, origin }) => [name, origin.line])).toEqual([
    ["__OPTIMIZE__", 2],
    ["FIRST", 3],
    ["BLOCK", 1],
    ["RECIPE", 10],
  ]);
  expect(flags?.includePaths.map(({ path, origin }) => [path, origin.line])).toEqual([
    ["/p/one", 5],
    ["/p/two", 5],
  ]);
  expect(flags?.architectures.map(({ origin }) => origin)).toEqual([{ file: "/p/Makefile", line: 8 }]);
});

it("targets have the sources that are linked into them, those beside the default goal too", () => {
  const description = read(`
all: app
app: a.o libk.a
	nvcc a.o -L. -lk -o $@
libk.a: b.o
	ar rcs $@ $^
%.o: %.cu
	nvcc -dc $< -o $@
bench: a.cu
	nvcc -DBENCH a.cu -o bench
debug: a.cu
	nvcc -g -DDEBUG -c a.cu -o a.o
clean:
	rm -f *.o
`);
  expect(targetsOf(description)).toEqual([
    "static-library k: /p/b.cu",
    "executable app: /p/a.cu <- k",
    "executable bench: /p/a.cu",
  ]);
  expect(sourcesOf(description)).toEqual([
    "/p/a.cu cuda app: -D__CUDACC_RDC__=1 -rdc",
    "/p/b.cu cuda k: -D__CUDACC_RDC__=1 -rdc",
    "/p/a.cu cuda bench: -DBENCH=1",
  ]);
});

describe("text that no makefile holds", () => {
  it.each([
    ["references without an end", "A = $(\napp: $(B\n\tnvcc $( a.cu"],
    ["a variable of itself", "A = $(A) -DX\napp: a.cu\n\tnvcc $(A) a.cu"],
    ["a call of itself", "f = $(call f,$(1))x\napp: a.cu\n\tnvcc $(call f,1) a.cu"],
    ["an include of itself", "include Makefile\napp: a.cu\n\tnvcc a.cu"],
    ["make in the same place", "app: a.cu\n\t$(MAKE) app\n\tnvcc a.cu"],
    ["targets in a ring", "a.cu: b.cu\nb.cu: a.cu\nall: a.cu\n\tnvcc a.cu"],
    ["pattern rules without an end", "%: %.x\n\tnvcc $<\n%.x: %\n\tnvcc $<\nall: a.cu q\n\tnvcc a.cu"],
    ["endless loops", "app: a.cu\n\twhile true; do nvcc a.cu; done"],
    ["brackets in brackets", `app: a.cu\n\tnvcc a.cu ${"$(".repeat(5000)}`],
    [
      "a variable that doubles itself",
      `A := x\n${"A := $(A)$(A)$(A)$(A)\n".repeat(30)}app: a.cu\n\tnvcc $(A) a.cu`,
    ],
    ["conditions without an end", "ifeq (a\nifdef\nelse\nelse\nendif\nendif\nendif\ndefine\n"],
  ])("%s ends", (_, makefile) => {
    expect(() => read(makefile)).not.toThrow();
  });
});

it("how a command ends is known of tests alone", () => {
  const description = read(`
ifeq ($(shell test $(NOTHING) -lt 5; echo $$?),0)
FLAGS += -DOLD
endif
ifeq ($(shell [ 3 -lt 5 ]; echo $$?),0)
FLAGS += -DLESS
endif
ifeq ($(shell cc --version >/dev/null; echo $$?),0)
FLAGS += -DHAS_CC
endif
app: a.cu
	nvcc $(FLAGS) a.cu -o app
	if grep -q MPI a.cu; then nvcc -DMPI b.cu -o b; fi
`);
  expect(sourcesOf(description)).toEqual([
    "/p/a.cu cuda app: -DLESS=1 -DHAS_CC=1 ?",
    "/p/b.cu cuda b: -DMPI=1",
  ]);
});
