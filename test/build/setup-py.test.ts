import { describe, expect, test } from "vitest";
import { readSetupPy } from "../../server/src/build/setup-py.ts";
import { buildHost, sourcesOf, targetsOf } from "./build-host.ts";

const torchCuda =
  "-D__CUDA_NO_HALF_OPERATORS__=1 -D__CUDA_NO_HALF_CONVERSIONS__=1 -D__CUDA_NO_BFLOAT16_CONVERSIONS__=1 -D__CUDA_NO_HALF2_OPERATORS__=1";
const torchOwn = "-DTORCH_API_INCLUDE_EXTENSION_H=1 -DTORCH_EXTENSION_NAME";
const torchArchitecture =
  "unresolved TORCH_CUDA_ARCH_LIST: PyTorch compiles for the GPU of the machine that builds";

test("a setup.py of one extension, put together as people do", () => {
  const text = `import os
from pathlib import Path
from setuptools import setup, find_packages
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

ROOT = os.path.dirname(os.path.abspath(__file__))
HERE = Path(__file__).resolve().parent
TILE = 32
nvcc = ["-O3", f"-DTILE={TILE}"]
nvcc += ["-gencode", "arch=compute_90,code=sm_90"]
nvcc.append("-DPAD=%d" % 1)
nvcc.extend("-DK{}={}".format(k, k * 2) for k in (1, 2))
ops = [os.path.join("csrc", name) for name in ["a.cu", "b.cpp"] if name != "no"]

setup(
    name="ext",
    ext_modules=[
        CUDAExtension(
            name="pkg._C",
            sources=ops + ["csrc/c.cu"],
            include_dirs=[os.path.join(ROOT, "include"), str(HERE / "third" / "x"), "rel"],
            define_macros=[("WITH_CUDA", None), ("GROUP", "8")],
            undef_macros=["NDEBUG"],
            extra_compile_args={"cxx": ["-DHOST"], "nvcc": nvcc},
        )
    ],
    cmdclass={"build_ext": BuildExtension.with_options(no_python_abi_suffix=True)},
)
`;
  const description = readSetupPy(buildHost({ "/p/setup.py": text }), "/p/setup.py");
  const macros = "-DWITH_CUDA=1 -DGROUP=8 -UNDEBUG";
  const paths = "-I/p/include -I/p/third/x -I/p/rel";
  const cuda =
    `-D__CUDACC_RELAXED_CONSTEXPR__=1 -D__OPTIMIZE__=1 ${macros} ${torchCuda} -DTILE=32 -DPAD=1 -DK1=2 -DK2=4 ` +
    `${torchOwn}=_C ${paths} -arch=sm_90:90 -std=c++17`;
  expect(sourcesOf(description)).toEqual([
    `/p/csrc/a.cu cuda pkg._C: ${cuda}`,
    `/p/csrc/b.cpp c++ pkg._C: ${macros} -DHOST=1 ${torchOwn}=_C ${paths} -std=c++17`,
    `/p/csrc/c.cu cuda pkg._C: ${cuda}`,
  ]);
  expect(targetsOf(description)).toEqual(["shared-library pkg._C: /p/csrc/a.cu /p/csrc/b.cpp /p/csrc/c.cu"]);
  expect(description?.unresolved).toEqual([]);
  const lines = Object.fromEntries(
    (description?.sources[0]?.flags.macros ?? []).map(({ name, origin }) => [name, origin.line]),
  );
  expect(lines).toMatchObject({ TILE: 9, PAD: 11, GROUP: 22, K1: 12, TORCH_EXTENSION_NAME: 18 });
});

test("files that Python reads", () => {
  const text = `from pathlib import Path
from torch.utils.cpp_extension import CUDAExtension
HERE = Path(__file__).parent
def version():
    with open(HERE / "version.txt", encoding="utf8") as f:
        return f.read().strip()
names = [line.strip() for line in open("sources.txt").readlines() if line.strip()]
with mystery() as m:
    other = m.read()
CUDAExtension("x", names, define_macros=[("V", version()), ("W", Path("version.txt").read_text().strip()), ("O", other), ("N", open("none").read())])
`;
  const files = { "/p/setup.py": text, "/p/version.txt": "0.4\n", "/p/sources.txt": "a.cu\nsub/b.cu\n\n" };
  const description = readSetupPy(buildHost(files), "/p/setup.py");
  expect(description?.sources.map(({ path }) => path)).toEqual(["/p/a.cu", "/p/sub/b.cu"]);
  const macros = description?.sources[0]?.flags.macros ?? [];
  const valueFor = (name: string) => macros.find((each) => each.name === name)?.value;
  expect(["V", "W", "O", "N"].map(valueFor)).toEqual(["0.4", "0.4", null, null]);
});

/** The body of a setup.py to the flags of `a.cu` beyond those of PyTorch, or to what is said of it. */
const bodies: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "what hangs on the environment is as if nothing were set",
    'args = ["-DB=" + os.environ.get("BLOCK", "64")]\nif os.getenv("DEBUG", "0") == "1":\n    args.append("-DDEBUG")\nif "FAST" in os.environ: args.append("-DFAST")',
    ["-DB=64", "assumed BLOCK: taken as not set"],
  ],
  [
    "an environment variable without a default is not known",
    'args = ["-DB=" + os.environ["BLOCK"]]',
    ["-DB=?"],
  ],
  [
    "a condition that is not known makes what it adds doubtful",
    'args = ["-DA"]\nif get_version() >= 12:\n    args += ["-DNEW"]\nelse:\n    args.append("-DOLD")',
    ["-DA=1", "-DNEW=1 ?", "-DOLD=1 ?"],
  ],
  [
    "both branches say the same",
    'if mystery():\n    args = ["-DA", "-DB"]\nelse:\n    args = ["-DA"]',
    ["-DA=1", "-DB=1 ?"],
  ],
  ["values of two branches", 'n = 1\nif mystery(): n = 2\nargs = [f"-DN={n}"]', ["-DN=?"]],
  [
    "a branch that ends the build is not taken",
    'args = []\nif not mystery():\n    raise RuntimeError("no")\nargs += ["-DA"]',
    ["-DA=1"],
  ],
  [
    "the machine has CUDA and Linux, and no ROCm",
    'args = []\nif torch.cuda.is_available() and CUDA_HOME is not None: args.append("-DCUDA")\nif torch.version.hip: args.append("-DHIP")\nif sys.platform == "win32": args.append("-DWIN")\nelif os.name != "nt": args.append("-DPOSIX")',
    ["-DCUDA=1", "-DPOSIX=1"],
  ],
  [
    "functions, with defaults and returns",
    'def flags(n, extra=None, *rest, **named):\n    """of n"""\n    out = [f"-DN={n}"]\n    if extra is not None:\n        out += extra\n    return out + [named["last"]]\nargs = flags(4, extra=["-DX"], last="-DL")',
    ["-DN=4", "-DX=1", "-DL=1"],
  ],
  [
    "loops",
    'args = []\nfor name, value in {"A": 1, "B": 2}.items():\n    if value == 3: continue\n    args.append("-D" + name + "=" + str(value))\nfor i in range(10):\n    if i == 2: break\n    args += [f"-DI{i}"]',
    ["-DA=1", "-DB=2", "-DI0=1", "-DI1=1"],
  ],
  [
    "splitting and joining",
    'args = "-DA -DB=2".split() + ["-DC=" + ",".join(["1"])]',
    ["-DA=1", "-DB=2", "-DC=1"],
  ],
  [
    "spreading and sets",
    'common = ["-DA"]\nargs = [*common, *[f"-D{n}" for n in sorted({"Z", "Y"})]]',
    ["-DA=1", "-DY=1", "-DZ=1"],
  ],
  [
    "a list that is not known",
    'args = ["-DA"] + mystery()',
    ["-DA=1", "unresolved extra_compile_args: what mystery() gives is not known"],
  ],
  [
    "an element that is not known",
    'args = ["-DA", mystery()]',
    ["-DA=1", "unresolved extra_compile_args: what mystery() gives is not known"],
  ],
  [
    "a name that is not known",
    'args = [f"-D{mystery}=1", "-DA"]',
    ["-DA=1", "unresolved -D{mystery}=1: mystery is not known"],
  ],
  [
    "lines that are not Python",
    'args = ["-DA"]\nthis is not python at all\nargs += ["-DB"]\n)\nargs += ["-DC"]',
    ["-DA=1", "-DB=1", "-DC=1"],
  ],
  [
    "lambdas, map and conditional expressions",
    'args = list(map(lambda n: "-D" + n, ["A"])) + (["-DB"] if 1 < 2 <= 2 else ["-DNO"])',
    ["-DA=1", "-DB=1"],
  ],
  [
    "a try takes its body",
    "try:\n    import numpy\n    args = ['-DA']\nexcept ImportError:\n    args = ['-DNO']\nfinally:\n    args += ['-DF']",
    ["-DA=1", "-DF=1"],
  ],
  [
    "arithmetic",
    'args = ["-DN={}".format((3 + 5) // 2 * 2 ** 2 % 10), "-DM=%s" % (1 << 4)]',
    ["-DN=6", "-DM=16"],
  ],
];

describe("what a setup.py comes to", () => {
  for (const [name, body, expected] of bodies) {
    test(name, () => {
      const text = `import os, sys, torch\n${body}\nCUDAExtension("e", ["a.cu"], extra_compile_args={"nvcc": args})\n`;
      const [source] = sourcesOf(readSetupPy(buildHost({ "/p/setup.py": text }), "/p/setup.py"));
      const own = (source ?? "")
        .replace("/p/a.cu cuda e: -D__CUDACC_RELAXED_CONSTEXPR__=1 ", "")
        .replace(`${torchCuda} `, "")
        .replace(`${torchOwn}=e `, "")
        .replace("-std=c++17 ", "")
        .replace(` ${torchArchitecture}`, "")
        .replace(torchArchitecture, "")
        .trim();
      expect(own).toBe(expected.join(" "));
    });
  }
});

test("an extension that may not be built is certain in itself", () => {
  const text = `ext = []
flags = ["-DALWAYS"]
if os.getenv("BUILD_CUDA", "FALSE") == "TRUE":
    flags.append("-DSWITCHED")
    if mystery(): flags.append("-DMAYBE")
    ext.append(CUDAExtension("k", ["k.cu"], extra_compile_args={"nvcc": flags}, define_macros=[("M", "1")]))
if not mystery():
    CUDAExtension("u", ["u.cu"], include_dirs=["inc"])
`;
  const description = readSetupPy(buildHost({ "/p/setup.py": text }), "/p/setup.py");
  const macros = (at: number): string[] =>
    (description?.sources[at]?.flags.macros ?? [])
      .filter(({ name }) => /^(?:M|ALWAYS|SWITCHED|MAYBE)$/.test(name))
      .map(({ name, doubt }) => `${name} ${doubt ?? "certain"}`);
  expect(macros(0)).toEqual([
    "M certain",
    "ALWAYS certain",
    "SWITCHED certain",
    "MAYBE the condition `mystery()` is not known",
  ]);
  expect(description?.sources[1]?.flags.includePaths.map(({ path, doubt }) => [path, doubt])).toEqual([
    ["/p/inc", null],
  ]);
});

test("sources by patterns", () => {
  const text = `import glob
from pathlib import Path
here = Path(__file__).parent
CUDAExtension("a", glob.glob("csrc/*.cu"))
CUDAExtension("b", [str(p) for p in (here / "csrc").rglob("*.cu")])
CUDAExtension("c", sources=glob.glob(os.path.join("csrc", "**", "*.cpp"), recursive=True))
CUDAExtension("d", sources=[os.path.join("csrc", f) for f in os.listdir("csrc") if f.endswith(".cu")])
CUDAExtension("e", sources=mystery())
`;
  const host = buildHost({
    "/p/setup.py": text,
    "/p/csrc/a.cu": "",
    "/p/csrc/x/b.cu": "",
    "/p/csrc/x/y/c.cpp": "",
    "/p/csrc/.cu": "",
  });
  const description = readSetupPy(host, "/p/setup.py");
  expect(targetsOf(description)).toEqual([
    "shared-library a: /p/csrc/a.cu",
    "shared-library b: /p/csrc/a.cu /p/csrc/x/b.cu",
    "shared-library c: /p/csrc/x/y/c.cpp",
    "shared-library d: /p/csrc/.cu /p/csrc/a.cu",
  ]);
  expect(description?.unresolved).toMatchObject([
    { what: "sources of CUDAExtension", reason: "what mystery() gives is not known", origin: { line: 8 } },
  ]);
});

test("modules of the project, and its classes", () => {
  const files = {
    "/p/setup.py":
      'import importlib.util\nfrom tools import flags\nfrom tools.flags import *\nimport tools.flags as tf\nspec = importlib.util.spec_from_file_location("b", "pkg/build.py")\n' +
      "b = importlib.util.module_from_spec(spec)\nspec.loader.exec_module(b)\np = b.parameters(fast=True)\n" +
      'CUDAExtension("e", p.sources, extra_compile_args={"nvcc": flags.COMMON + p.nvcc + EXTRA + [tf.one("Z")] + p.more()})\n',
    "/p/tools/__init__.py": "",
    "/p/tools/flags.py":
      'COMMON = ["-DCOMMON"]\nEXTRA = ["-DEXTRA"]\ndef one(n): return "-D" + n\nif __name__ == "__main__":\n    EXTRA = ["-DNO"]\n',
    "/p/pkg/build.py":
      "import os\nfrom dataclasses import dataclass\n@dataclass\nclass Parameters:\n    sources: list\n    nvcc: list = None\n    def more(self):\n        return [f'-DCOUNT={len(self.sources)}']\n" +
      "def parameters(fast=False):\n    here = os.path.dirname(os.path.abspath(__file__))\n    return Parameters([os.path.join(here, 'k.cu')], nvcc=['-DFAST'] if fast else [])\n",
  };
  const description = readSetupPy(buildHost(files), "/p/setup.py");
  const [source] = description?.sources ?? [];
  expect(source?.path).toBe("/p/pkg/k.cu");
  const own = (source?.flags.macros ?? []).filter(({ name }) =>
    /^(?:COMMON|EXTRA|NO|FAST|Z|COUNT)$/.test(name),
  );
  expect(own.map(({ name, value, origin }) => `${name}=${value} ${origin.file}:${origin.line}`)).toEqual([
    "COMMON=1 /p/tools/flags.py:1",
    "FAST=1 /p/pkg/build.py:11",
    "EXTRA=1 /p/tools/flags.py:2",
    "Z=1 /p/tools/flags.py:3",
    "COUNT=1 /p/pkg/build.py:8",
  ]);
  expect(description?.readFiles).toEqual(["/p/setup.py", "/p/tools/flags.py", "/p/pkg/build.py"]);
});

test("load() within a function that nothing calls, and Extension without PyTorch", () => {
  const text = `from torch.utils.cpp_extension import load
from setuptools import Extension
def kernel(block):
    return load(name="k", sources=["k.cu", "k.cpp"], extra_cuda_cflags=["-DN=4", f"-DB={block}"], extra_include_paths=["inc"], extra_cflags=["-DH"])
class Op:
    def get(self):
        if self.ready: return 1
        return load("op", ["op.cu"])
ext = Extension("plain", sources=["p.c"], define_macros=[("X", "1")])
json.load("no")
`;
  const description = readSetupPy(buildHost({ "/p/ops.py": text }), "/p/ops.py");
  expect(sourcesOf(description)).toEqual([
    "/p/p.c c plain: -DX=1",
    `/p/k.cu cuda k: -D__CUDACC_RELAXED_CONSTEXPR__=1 ${torchCuda} -DN=4 -DB=? ${torchOwn}=k -I/p/inc -std=c++17 ${torchArchitecture}`,
    `/p/k.cpp c++ k: -DH=1 ${torchOwn}=k -I/p/inc -std=c++17`,
    expect.stringMatching(/^\/p\/op\.cu cuda op: /),
  ]);
});

test("generators, and a statement at the end of its block that is not Python", () => {
  const text = `
def lines(name):
    for one in ["a.c", "b.c"]:
        if name:
            yield name + one
    yield from ["c.c"]

def broken():
    if True:
        if True:
            print "as Python 2 had it"

ext = Extension("plain", sources=list(lines("src/")))
`;
  expect(sourcesOf(readSetupPy(buildHost({ "/p/setup.py": text }), "/p/setup.py"))).toEqual([
    "/p/src/a.c c plain: ",
    "/p/src/b.c c plain: ",
    "/p/c.c c plain: ",
  ]);
});

test("files that are no setup.py, and loops without an end", () => {
  const texts = [
    "",
    "print(1)",
    "Extension(",
    "while True:\n  x = [CUDAExtension]\n",
    "def f(): return f()\nf()\nCUDAExtension('a', f())",
  ];
  for (const text of texts) {
    expect(sourcesOf(readSetupPy(buildHost({ "/p/setup.py": text }), "/p/setup.py"))).toEqual([]);
  }
});
