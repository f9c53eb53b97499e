import { expect, test } from "vitest";
import { readBazel } from "../../server/src/build/bazel.ts";
import { buildHost, sourcesOf, targetsOf } from "./build-host.ts";

const files = {
  "/w/MODULE.bazel": 'module(name = "m")',
  "/w/.bazelrc":
    "build --copt=-DRC --cxxopt=-std=c++20\nbuild --@rules_cuda//cuda:archs=compute_80:sm_80;compute_90:compute_90,sm_90\nbuild:debug --copt=-DNO\n# build --copt=-DNO\n",
  "/w/flags.bzl":
    'COMMON = ["-DCOMMON"]\ndef kernel(name, tile, **kwargs):\n    """A kernel."""\n    cuda_library(\n        name = name + "_k",\n        srcs = [name + ".cu"],\n        local_defines = ["TILE=%d" % tile],\n        **kwargs\n    )\n',
  "/w/lib/BUILD.bazel": `load("@rules_cuda//cuda:defs.bzl", "cuda_library")
load("//:flags.bzl", "COMMON", "kernel")
load(":own.bzl", other = "OWN")

package(default_visibility = ["//visibility:public"])

SIZES = [1, 2]

filegroup(name = "more", srcs = glob(["more/*.cu"], exclude = ["more/no.cu"]))

cuda_library(
    name = "k",
    srcs = ["k.cu", "k.h", ":more"] + ["s%d.cu" % n for n in SIZES],
    hdrs = ["k.cuh"],
    copts = COMMON + ["-O3 -DTWO=2", "-I lib/private"] + other,
    defines = ["PUBLIC=1"],
    local_defines = ["LOCAL"],
    includes = ["include"],
    deps = [":base", "@cuda//:runtime"],
)

cc_library(name = "base", srcs = ["base.cc"], defines = ["BASE"] + select({":fast": ["FAST"], "//conditions:default": []}), strip_include_prefix = "pub")

kernel(name = "gen", tile = 32, deps = [":k"])
`,
  "/w/lib/own.bzl": 'OWN = ["-DOWN"]',
  "/w/lib/more/a.cu": "",
  "/w/lib/more/no.cu": "",
  "/w/lib/more/sub/BUILD": "",
  "/w/app/BUILD": `cc_binary(
    name = "app",
    srcs = ["main.cc"],
    deps = ["//lib:alias", "//lib:gen_k"],
    copts = select({"@platforms//os:windows": ["/DWIN"], "//conditions:default": ["-DLINUX"]}) + mystery(),
    linkshared = False,
)
`,
};

test("Bazel: rules, what dependencies hand on, macros, globs, select, .bazelrc", () => {
  const host = buildHost({
    ...files,
    "/w/lib/BUILD.bazel": `${files["/w/lib/BUILD.bazel"]}\nalias(name = "alias", actual = ":k")\n`,
  });
  const description = readBazel(host, "/w/MODULE.bazel", "/w");
  const gpu = "-arch=sm_80:80 -arch=compute_90:90";
  const public_ = "-DBASE=1 -DFAST=1 ?";
  const paths = "-isystem /w/lib/include -I/w/lib/pub";
  const own = `-D__OPTIMIZE__=1 -DPUBLIC=1 ${public_} -DLOCAL=1 -DRC=1 -DCOMMON=1 -DTWO=2 -DOWN=1 -iquote /w ${paths} -I/w/lib/private ${gpu}`;
  expect(sourcesOf(description)).toEqual([
    // Breadth first: the packages of the workspace in their order.
    "/w/app/main.cc c++ //app:app: -DPUBLIC=1 -DBASE=1 -DFAST=1 ? -DRC=1 -DLINUX=1 -iquote /w -isystem /w/lib/include -I/w/lib/pub -std=c++20 unresolved copts of //app:app: this is not a plain value",
    ...["k", "more/a", "s1", "s2"].map((name) => `/w/lib/${name}.cu cuda //lib:k: ${own}`),
    "/w/lib/base.cc c++ //lib:base: -DBASE=1 -DFAST=1 ? -DRC=1 -iquote /w -I/w/lib/pub -std=c++20",
    `/w/lib/gen.cu cuda //lib:gen_k: -DPUBLIC=1 ${public_} -DTILE=32 -DRC=1 -iquote /w ${paths} ${gpu}`,
  ]);
  expect(targetsOf(description)).toEqual([
    "executable //app:app: /w/app/main.cc <- //lib:k //lib:gen_k",
    "static-library //lib:k: /w/lib/k.cu /w/lib/more/a.cu /w/lib/s1.cu /w/lib/s2.cu <- //lib:base",
    "static-library //lib:base: /w/lib/base.cc",
    "static-library //lib:gen_k: /w/lib/gen.cu <- //lib:k",
  ]);
  const places = Object.fromEntries(
    (description?.sources[1]?.flags.macros ?? []).map(({ name, origin }) => [
      name,
      `${origin.file}:${origin.line}`,
    ]),
  );
  expect(places).toMatchObject({
    TWO: "/w/lib/BUILD.bazel:15",
    COMMON: "/w/flags.bzl:1",
    RC: "/w/.bazelrc:1",
    PUBLIC: "/w/lib/BUILD.bazel:16",
  });
  expect(description?.readFiles).toContain("/w/lib/own.bzl");
});

test("a BUILD file by itself, with those that it depends on", () => {
  const host = buildHost({
    "/w/WORKSPACE": "",
    "/w/a/BUILD": 'cuda_binary(name = "a", srcs = ["a.cu"], deps = ["//b"], rdc = True)',
    "/w/b/BUILD": 'cuda_library(name = "b", srcs = ["b.cc"], defines = ["B"])',
    "/w/c/BUILD": 'cuda_library(name = "c", srcs = ["c.cu"])',
  });
  const description = readBazel(host, "/w/a/BUILD", "/w");
  expect(sourcesOf(description)).toEqual([
    "/w/a/a.cu cuda //a:a: -D__CUDACC_RDC__=1 -DB=1 -iquote /w -rdc",
    "/w/b/b.cc cuda //b:b: -DB=1 -iquote /w",
  ]);
  expect(targetsOf(description)).toEqual([
    "executable //a:a: /w/a/a.cu <- //b:b",
    "static-library //b:b: /w/b/b.cc",
  ]);
});

test("packages without C++, and BUILD files that name each other", () => {
  for (const text of [
    "",
    "x(",
    'py_library(name = "p", srcs = ["a.py"])',
    'load("//:BUILD", "x")',
    'alias(name = "a", actual = ":a")',
  ]) {
    expect(readBazel(buildHost({ "/w/BUILD": text }), "/w/BUILD", "/w")).toBeNull();
  }
  const host = buildHost({
    "/w/a/BUILD": 'cc_library(name = "a", srcs = ["a.cc"], deps = ["//b:b", ":a"])',
    "/w/b/BUILD": 'cc_library(name = "b", srcs = [":b"], deps = ["//a:a"])',
    "/w/WORKSPACE": "",
  });
  expect(sourcesOf(readBazel(host, "/w/WORKSPACE", "/w"))).toEqual(["/w/a/a.cc c++ //a:a: -iquote /w"]);
});
