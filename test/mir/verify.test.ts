// What the verifier finds, each in a function that has that one fault.
import { expect, it } from "vitest";
import { parseMir } from "../../server/src/mir/text/parse.ts";
import { faultsIn } from "../../server/src/mir/verify.ts";

const head = ["var n automatic 4 i32", "var x automatic 4 i32"];

it.each([
  [
    "a value that is not there on every way",
    [
      "^0:",
      "branch (< bool %n.0 3:i32) ^1 ^2 merge ^2",
      "^1 in branch ^0:",
      "%x.1 = define 1:i32",
      "jump ^2",
      "^2:",
      "return %x.1",
    ],
    "may not be there",
  ],
  [
    "a value whose home holds another",
    ["^0:", "%x.1 = define 1:i32", "%x.2 = define 2:i32", "return %x.1"],
    "but its home holds",
  ],
  [
    "a value whose home holds another on one way",
    [
      "^0:",
      "%x.1 = define 1:i32",
      "branch (< bool %n.0 3:i32) ^1 ^2 merge ^2",
      "^1 in branch ^0:",
      "%x.2 = define 2:i32",
      "jump ^2",
      "^2:",
      "return %x.1",
    ],
    "something else",
  ],
  ["an argument too few", ["^0:", "jump ^1", "^1(%x.1):", "return %x.1"], "gives ^1 0 of 1 arguments"],
  [
    "a value of another home",
    ["^0:", "jump ^1(%n.0)", "^1(%x.1):", "return %x.1"],
    "a value of another home",
  ],
  ["a block that control does not reach", ["^0:", "end", "^1:", "end"], "^1 is not reached"],
])("%s", (_what, lines, fault) => {
  expect(faultsIn(parseMir([...head, ...lines].join("\n"))).join("\n")).toContain(fault);
});
