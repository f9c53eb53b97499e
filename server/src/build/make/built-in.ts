// The variables and rules that make has by itself, in so far as compilers and linkers come of them (GNU make 4.3, `make -p`).

import { entryOf } from "../../table.ts";
import type { Origin } from "../flags.ts";
import { emptyText, type Text, textOf } from "../worlds/text.ts";
import type { Makefile, PatternRule } from "./makefile.ts";
import { patternOf } from "./patterns.ts";

const origin: Origin = { file: "", line: 1 };

const variables: Readonly<Record<string, string>> = {
  AR: "ar",
  ARFLAGS: "rv",
  AS: "as",
  CC: "cc",
  CXX: "g++",
  CPP: "$(CC) -E",
  LD: "ld",
  RM: "rm -f",
  OUTPUT_OPTION: "-o $@",
  "COMPILE.c": "$(CC) $(CFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c",
  "COMPILE.cc": "$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c",
  "COMPILE.C": "$(COMPILE.cc)",
  "COMPILE.cpp": "$(COMPILE.cc)",
  "COMPILE.S": "$(CC) $(ASFLAGS) $(CPPFLAGS) $(TARGET_MACH) -c",
  "COMPILE.s": "$(AS) $(ASFLAGS) $(TARGET_MACH)",
  "LINK.o": "$(CC) $(LDFLAGS) $(TARGET_ARCH)",
  "LINK.c": "$(CC) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)",
  "LINK.cc": "$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)",
  "LINK.C": "$(LINK.cc)",
  "LINK.cpp": "$(LINK.cc)",
  MAKE: "$(MAKE_COMMAND)",
  MAKE_COMMAND: "make",
  MAKE_VERSION: "4.3",
  MAKE_HOST: "x86_64-pc-linux-gnu",
  SHELL: "/bin/sh",
};

const suffixes = [".out", ".a", ".o", ".c", ".cc", ".C", ".cpp", ".s", ".S", ".h"];

/** Recipes of suffix rules: what is made of what. */
const rules: Readonly<Record<string, string>> = {
  ".o": "$(LINK.o) $^ $(LOADLIBES) $(LDLIBS) -o $@",
  ".c": "$(LINK.c) $^ $(LOADLIBES) $(LDLIBS) -o $@",
  ".cc": "$(LINK.cc) $^ $(LOADLIBES) $(LDLIBS) -o $@",
  ".C": "$(LINK.C) $^ $(LOADLIBES) $(LDLIBS) -o $@",
  ".cpp": "$(LINK.cpp) $^ $(LOADLIBES) $(LDLIBS) -o $@",
  ".c.o": "$(COMPILE.c) $(OUTPUT_OPTION) $<",
  ".cc.o": "$(COMPILE.cc) $(OUTPUT_OPTION) $<",
  ".C.o": "$(COMPILE.C) $(OUTPUT_OPTION) $<",
  ".cpp.o": "$(COMPILE.cpp) $(OUTPUT_OPTION) $<",
  ".S.o": "$(COMPILE.S) -o $@ $<",
  ".s.o": "$(COMPILE.s) -o $@ $<",
};

/** Gives a makefile what make has before it reads. */
export function addBuiltIns(makefile: Makefile): void {
  for (const [name, value] of Object.entries(variables)) {
    const flavor = "recursive";
    makefile.variables.own.set(name, {
      value: textOf(value, origin),
      flavor,
      source: "default",
      appends: false,
    });
  }
  makefile.suffixes.push(...suffixes);
}

/** Suffix rules as pattern rules, those of the makefile and make's own, in make's order: behind the pattern rules of the makefile. */
export function suffixRules(makefile: Makefile): PatternRule[] {
  const found: PatternRule[] = [];
  const known = [...new Set(makefile.suffixes)];
  const add = (name: string, target: string, source: string) => {
    const own = makefile.targets
      .get(name)
      ?.rules.find((rule) => rule.recipe !== null && rule.prerequisites.string.trim() === "");
    const builtIn = suffixes.some((suffix) => name.endsWith(suffix)) ? entryOf(rules, name) : undefined;
    const recipe =
      own?.recipe ?? (builtIn === undefined ? null : { lines: [textOf(builtIn, origin)], origin });
    if (recipe === null) return;
    found.push({
      targets: [patternOf(target)],
      prerequisites: textOf(source, origin),
      orderOnly: emptyText as Text,
      recipe,
      isTerminal: false,
      expandsAgain: false,
      source: own === undefined ? "built in" : "file",
    });
  };
  for (const from of known) {
    add(from, "%", `%${from}`);
    for (const to of known)
      if (makefile.targets.has(from + to) || entryOf(rules, from + to) !== undefined)
        add(from + to, `%${to}`, `%${from}`);
  }
  return found;
}
