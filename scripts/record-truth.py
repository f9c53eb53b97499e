#!/usr/bin/env python3
"""Record what an NVIDIA GPU does at each memory access, as Nsight Compute's Source page counts it.

    record-truth.py OUT.jsonl CASE.cu [CASE.cu ...]       every launch of CUDA programs, per source line
    record-truth.py --project OUT.jsonl FOLDER            the same of a project, built as FOLDER.recipe.json says
    record-truth.py --patterns OUT.jsonl IN.jsonl         address patterns, each executed once by one warp

Needs nvcc, ncu and a GPU; Python's standard library and Nsight Compute's own ncu_report suffice.
Environment: ARCH (sm_90 by default), ARGS (arguments of each program) and LINKED (other sources to link each program with).

Programs: one JSON object a distinct launch (launches equal in kernel, grid, block and figures are one, with `launches`):
case, kernel (demangled), mangled, grid, block, sites, launches. A site is one memory instruction: line, file, sass, bits,
inst (warp-level executions), threads (active lanes), and for shared memory wavefronts and ideal_wavefronts, for global
memory sectors and ideal_sectors; all are sums over the launch, and the ideals are Nsight Compute's own.

Projects: FOLDER.recipe.json beside the folder holds {"build": [shell commands], "runs": [commands]}, which are executed in a copy of the folder;
nvcc is told by NVCC_APPEND_FLAGS to keep line numbers and is otherwise run as the build runs it. `case` is the folder's name, `run` the command,
and `file` of a site is relative to the folder.

Patterns: a row of IN.jsonl is {"op", "space", "bytes", "lanes"} and for cp.async "globalLanes"; `lanes` are 32 byte addresses from
a 128-byte aligned base, null where the lane is inactive. `hidden`, if given, holds the addresses that the registers of inactive lanes
contain. The answer is the row with sass, wavefronts and ideal, or sectors and ideal (cp.async: all four), as in
fixtures/hardware/patterns.jsonl; one row for each machine instruction where the access is emulated by several.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

METRICS = {
    "inst": "inst_executed",
    "threads": "thread_inst_executed_true",
    "bits": "memory_access_size_type",
    "wavefronts": "memory_l1_wavefronts_shared",
    "ideal_wavefronts": "memory_l1_wavefronts_shared_ideal",
    "sectors": "memory_l2_theoretical_sectors_global",
    "ideal_sectors": "memory_l2_theoretical_sectors_global_ideal",
}
FIGURES = ("wavefronts", "ideal_wavefronts", "sectors", "ideal_sectors")
ARCH = os.environ.get("ARCH", "sm_90")

# Patterns of one kernel: enough to make profiling cheap, few enough to compile fast. Nsight Compute reports but one
# cp.async of a kernel without loops, so each of them has a kernel of its own.
PATTERNS_PER_KERNEL = 250
SHARED_BYTES = 200 * 1024
GLOBAL_BYTES = 1 << 20


def main():
    arguments = sys.argv[1:]
    if len(arguments) < 2:
        sys.exit(__doc__)
    if arguments[0] == "--patterns":
        record_patterns(arguments[1], arguments[2])
    elif arguments[0] == "--project":
        record_project(arguments[1], arguments[2].rstrip("/"))
    else:
        record_programs(arguments[0], arguments[1:])


# Programs


def record_programs(out_path, cases):
    failures = 0
    with open(out_path, "w") as out:
        for case in cases:
            try:
                rows = record_program(case)
            except (RuntimeError, subprocess.SubprocessError) as error:
                failures += 1
                print("FAILED", case, str(error)[:600], flush=True)
                rows = [{"case": os.path.basename(case), "error": str(error)[:600]}]
            for row in rows:
                out.write(json.dumps(row) + "\n")
    if failures:
        sys.exit(1)


def record_program(case):
    with tempfile.TemporaryDirectory() as folder:
        program = compile_program(case, folder)
        launches = profile(program, os.environ.get("ARGS", "").split())
    return distinct_rows({"case": os.path.basename(case)}, launches)


def distinct_rows(head, launches):
    distinct = {}
    for launch in launches:
        row = {**head, **launch}
        key = json.dumps(row)
        distinct.setdefault(key, {**row, "launches": 0})["launches"] += 1
    return list(distinct.values())


def compile_program(case, folder):
    program = os.path.join(folder, "program")
    include = os.path.dirname(case) or "."
    command = ["nvcc", "-w", "-arch=" + ARCH, "-lineinfo", "-O3", "-std=c++17", "--extended-lambda", "-I", include, case, *os.environ.get("LINKED", "").split(), "-o", program]
    subprocess.run(command, check=True)
    return program


# Projects


def record_project(out_path, source):
    with open(source + ".recipe.json") as text:
        recipe = json.load(text)
    name = os.path.basename(source)
    with tempfile.TemporaryDirectory() as above:
        folder = os.path.join(os.path.realpath(above), name)
        shutil.copytree(source, folder)
        environment = {**os.environ, "NVCC_APPEND_FLAGS": "-lineinfo"}
        for command in recipe["build"]:
            built = subprocess.run(command, shell=True, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if built.returncode != 0:
                sys.exit(f"FAILED {name}: {command}\n{built.stdout[-2000:]}")
        rows = []
        for run in recipe["runs"]:
            program, *arguments = run.split()
            program = os.path.join(folder, program) if "/" in program else program
            # Libraries launch kernels of their own.
            own = [each for each in profile(program, arguments, folder) if any(site["file"] and os.path.exists(os.path.join(folder, site["file"])) for site in each["sites"])]
            rows += distinct_rows({"case": name, "run": run}, own)
    with open(out_path, "w") as out:
        for row in rows:
            out.write(json.dumps(row) + "\n")
    print(f"{name}: {len(rows)} launches")


# Nsight Compute


def load_ncu_report():
    for folder in sorted(glob.glob("/opt/nvidia/nsight-compute/*/extras/python"), reverse=True):
        if os.path.exists(os.path.join(folder, "ncu_report.py")):
            sys.path.insert(0, folder)
            import ncu_report

            return ncu_report
    sys.exit("ncu_report not found below /opt/nvidia/nsight-compute")


def profile(program, arguments, project=None):
    """One dict a launch, in the order of the launches: kernel, mangled, grid, block, sites. Run in the folder `project`, if any."""
    ncu_report = load_ncu_report()
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report")
        options = ["--clock-control", "none", "--cache-control", "none", "--metrics", ",".join(METRICS.values())]
        command = ["ncu", *options, "-f", "-o", report, program, *arguments]
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, cwd=project)
        if not os.path.exists(report + ".ncu-rep"):
            raise RuntimeError(result.stdout[-1500:])
        context = ncu_report.load_report(report + ".ncu-rep")
        ranges = [context.range_by_idx(i) for i in range(context.num_ranges())]
        actions = [r.action_by_idx(i) for r in ranges for i in range(r.num_actions())]
        return [describe_launch(ncu_report, action, project) for action in actions]


def describe_launch(ncu_report, action, project):
    figures = figures_by_address(action)
    sites = [describe_site(action, address, values, project) for address, values in sorted(figures.items())]
    number = lambda name: action.metric_by_name(name).as_uint64()
    return {
        "kernel": action.name(ncu_report.IAction.NameBase_DEMANGLED),
        "mangled": action.name(ncu_report.IAction.NameBase_MANGLED),
        "grid": [number("launch__grid_dim_" + axis) for axis in "xyz"],
        "block": [number("launch__block_dim_" + axis) for axis in "xyz"],
        "sites": [site for site in sites if any(site.get(name) for name in FIGURES)],
    }


def figures_by_address(action):
    """Program address of each instruction to its values of METRICS."""
    available = set(action.metric_names())
    values = {}
    for key, name in METRICS.items():
        metric = action.metric_by_name(name) if name in available else None
        if metric is None or not metric.num_instances():
            continue
        addresses = metric.correlation_ids()
        for i in range(metric.num_instances()):
            values.setdefault(addresses.as_uint64(i), {})[key] = metric.as_uint64(i)
    return values


def file_of(path, project):
    """Relative to the project where it lies in it, else the name alone. A build may name files relative to any of its folders."""
    if project is None:
        return os.path.basename(path)
    absolute = os.path.realpath(os.path.join(project, path))
    if absolute.startswith(project + "/") and os.path.exists(absolute):
        return os.path.relpath(absolute, project)
    tail = "/" + os.path.normpath(path).lstrip("./")
    found = [each for each in glob.glob(project + "/**", recursive=True) if each.endswith(tail)]
    return os.path.relpath(found[0], project) if len(found) == 1 and not os.path.isabs(path) else os.path.basename(path)


def describe_site(action, address, values, project):
    source = action.source_info(address)
    site = {
        "line": source.line() if source else None,
        "file": file_of(source.file_name(), project) if source else None,
        "sass": re.sub(r"^@!?U?P\w+\s+", "", action.sass_by_pc(address).strip()).split()[0],
        **{key: values.get(key) for key in ("bits", "inst", "threads")},
    }
    for cost, ideal in (("wavefronts", "ideal_wavefronts"), ("sectors", "ideal_sectors")):
        if values.get(cost) or values.get(ideal):
            site.update({cost: values.get(cost), ideal: values.get(ideal)})
    return site


# Patterns


def record_patterns(out_path, in_path):
    with open(in_path) as lines:
        patterns = [json.loads(line) for line in lines if line.strip()]
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "patterns.cu")
        with open(source, "w") as out:
            text, lines = pattern_program(patterns)
            out.write(text)
        sites = [site for launch in profile(compile_program(source, folder), []) for site in launch["sites"]]
    recorded = [(lines[site["line"]], site) for site in sites if site["line"] in lines]
    with open(out_path, "w") as out:
        for index, site in recorded:
            out.write(json.dumps(pattern_row(patterns[index], site)) + "\n")
    missing = len(patterns) - len({index for index, _ in recorded})
    print(f"{len(patterns)} patterns, {missing} of them without figures")


def pattern_row(pattern, site):
    row = {**pattern, "sass": site["sass"]}
    if site["inst"] != 1:
        row["executions"] = site["inst"]
    if pattern["space"] == "shared":
        row.update(wavefronts=site.get("wavefronts", 0), ideal=site.get("ideal_wavefronts", 0))
        if pattern["op"].startswith("cpasync"):
            row.update(sectors=site.get("sectors", 0), idealSectors=site.get("ideal_sectors", 0))
    else:
        row.update(sectors=site.get("sectors", 0), ideal=site.get("ideal_sectors", 0))
    return row


def pattern_program(patterns):
    """CUDA source that executes each pattern once, and a map from source line to pattern index.

    Each access stands on a line of its own, so that the line tells which instruction is whose. The access is predicated
    with the lane's bit of the mask; addresses come from memory, so that the compiler knows nothing of them.
    """
    text = ["#include <cstdio>", "#include <vector>", ""]
    tables = {"shared": [], "source": [], "mask": []}
    lines = {}
    kernels = 0
    for group in kernel_groups(patterns):
        text += [
            f"__global__ void patterns{kernels}(const int *offsets, const int *sources, const unsigned *masks, char *global, unsigned *sink) {{",
            "  extern __shared__ __align__(1024) char shared[];",
            "  const unsigned base = (unsigned)__cvta_generic_to_shared(shared), lane = threadIdx.x;",
            "  unsigned a = 0, b = 0, c = 0, d = 0, sum = 0;",
        ]
        for index in group:
            text += pattern_statement(patterns[index], index)
            lines[len(text) - 1] = index
        text += ["  if (sum == 12345) *sink = sum;", "}", ""]
        kernels += 1
    for pattern in patterns:
        offsets, mask = lane_table(pattern["lanes"], pattern.get("hidden"))
        tables["shared"] += offsets
        tables["source"] += lane_table(pattern.get("globalLanes") or [0] * 32, None)[0]
        tables["mask"].append(mask)
    for name, values in tables.items():
        kind = "unsigned" if name == "mask" else "int"
        text.append(f"static const {kind} {name}Table[] = {{{', '.join(map(str, values))}}};")
    text.append(pattern_host(kernels))
    return "\n".join(text), lines


def kernel_groups(patterns):
    """Indices of the patterns of each kernel."""
    copies = [i for i, pattern in enumerate(patterns) if pattern["op"].startswith("cpasync")]
    others = [i for i, pattern in enumerate(patterns) if not pattern["op"].startswith("cpasync")]
    size = PATTERNS_PER_KERNEL
    return [others[i : i + size] for i in range(0, len(others), size)] + [[i] for i in copies]


def lane_table(lanes, hidden):
    """Offsets of the 32 lanes (inactive ones from `hidden`, else 0) and the mask of the active ones."""
    offsets = [a if a is not None else (hidden[i] if hidden and hidden[i] is not None else 0) for i, a in enumerate(lanes)]
    return offsets, sum(1 << i for i, a in enumerate(lanes) if a is not None)


VECTOR = {1: ("", "u8"), 2: ("", "u16"), 4: ("", "u32"), 8: (".v2", "u32"), 16: (".v4", "u32")}


def pattern_statement(pattern, index):
    """Three lines: what reads the tables, the access itself, and what uses its result."""
    instruction = pattern_instruction(pattern)
    target, constraint = ("base + offset", "r") if pattern["space"] == "shared" else ("global + offset", "l")
    return [
        f"  {{ const int offset = offsets[{index} * 32 + lane]; const char *source = global + sources[{index} * 32 + lane]; "
        f"const unsigned active = masks[{index}] >> lane & 1u;",
        f'  asm volatile("{{ .reg .pred p; .reg .b64 w, w2; setp.ne.u32 p, %4, 0; cvt.u64.u32 w, %4; {instruction} }}" '
        f': "+r"(a), "+r"(b), "+r"(c), "+r"(d) : "r"(active), "{constraint}"({target}), "l"(source) : "memory");',
        "  sum += a + b + c + d; }",
    ]


def pattern_instruction(pattern):
    """PTX of the access: %0-%3 are data, %4 the lane's bit, %5 the address, %6 the source of a copy; p is the predicate."""
    op, size, space = pattern["op"], pattern["bytes"], pattern["space"]
    vector, kind = VECTOR[size]
    data = {1: "%0", 2: "%0, %1", 4: "%0, %1, %2, %3"}
    lanes = data[max(1, size // 4)]
    braced = f"{{{lanes}}}" if vector else lanes
    integer, word, word2 = ("u64", "w", "w2") if size == 8 else ("u32", "%0", "%1")
    matrix = re.fullmatch(r"(ld|st)matrix(T?)([124])", op)
    if matrix:
        direction, transposed, count = matrix.groups()
        shape = f".sync.aligned.m8n8.x{count}{'.trans' if transposed else ''}.shared.b16"
        registers = "{" + data[int(count)] + "}"
        operands = f"{registers}, [%5]" if direction == "ld" else f"[%5], {registers}"
        return f"{direction}matrix{shape} {operands};"
    templates = {
        "ld": f"@p ld.{space}{vector}.{kind} {braced}, [%5];",
        "st": f"@p st.{space}{vector}.{kind} [%5], {braced};",
        "atom": f"@p atom.{space}.add.{integer} {word}, [%5], {word};",
        "red": f"@p red.{space}.add.{integer} [%5], {word};",
        "atommax": f"@p atom.{space}.max.s{size * 8} {word}, [%5], {word};",
        "atomand": f"@p atom.{space}.and.b{size * 8} {word}, [%5], {word};",
        "atominc": f"@p atom.{space}.inc.u32 %0, [%5], %0;",
        "atomexch": f"@p atom.{space}.exch.b{size * 8} {word}, [%5], {word};",
        "atomcas": f"@p atom.{space}.cas.b{size * 8} {word}, [%5], {word}, {word2 if size == 8 else '%1'};",
        "atomf": f"@p atom.{space}.add.{'f64 w' if size == 8 else 'f32 %0'}, [%5], {'w' if size == 8 else '%0'};",
        "atomh2": f"@p atom.{space}.add.noftz.f16x2 %0, [%5], %0;",
        "cpasync": f"@p cp.async.{'cg' if size == 16 else 'ca'}.shared.global [%5], [%6], {size};",
        "cpasyncca": f"@p cp.async.ca.shared.global [%5], [%6], {size};",
    }
    return templates[op]


def pattern_host(kernels):
    launches = "\n".join(
        f"  cudaFuncSetAttribute(patterns{k}, cudaFuncAttributeMaxDynamicSharedMemorySize, {SHARED_BYTES});\n"
        f"  patterns{k}<<<1, 32, {SHARED_BYTES}>>>(offsets, sources, masks, global, sink);"
        for k in range(kernels)
    )
    return f"""
template <typename T> T *upload(const T *data, size_t bytes) {{
  T *copy;
  cudaMalloc(&copy, bytes);
  cudaMemcpy(copy, data, bytes, cudaMemcpyHostToDevice);
  return copy;
}}
int main() {{
  const int *offsets = upload(sharedTable, sizeof sharedTable), *sources = upload(sourceTable, sizeof sourceTable);
  const unsigned *masks = upload(maskTable, sizeof maskTable);
  char *global;
  unsigned *sink;
  cudaMalloc(&global, {GLOBAL_BYTES});
  cudaMemset(global, 0, {GLOBAL_BYTES});
  cudaMalloc(&sink, 4);
{launches}
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s\\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}}
"""


if __name__ == "__main__":
    main()
