#!/usr/bin/env python3
"""Run programs before and after a fix on an NVIDIA GPU: what they print, and what each memory access costs.

    record-fixes.py FOLDER OUT.jsonl [NAME ...]

FOLDER holds what `npm run record:fixes prepare FOLDER` wrote: fixes.json (a list with the `case` of each fix), CASE.before.cu, CASE.after.cu
and the headers that they include. Needs nvcc, ncu and a GPU. One JSON object a case: `before` and `after`, each with `output` (what the
program prints, or the allocations' checksums where `capture` says so) and `launches` (rows as record-truth.py writes them), or `error`.
"""
import importlib.util
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = importlib.util.spec_from_file_location("record_truth", os.path.join(HERE, "record-truth.py"))
TRUTH = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(TRUTH)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder, out_path = sys.argv[1:3]
    with open(os.path.join(folder, "fixes.json")) as text:
        fixes = [fix for fix in json.load(text) if not sys.argv[3:] or fix["case"] in sys.argv[3:]]
    jobs = [(fix, side) for fix in fixes for side in ("before", "after")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        binaries = list(pool.map(lambda job: build(folder, *job), jobs))
    sides = {(fix["case"], side): record(fix, side, *paths) for (fix, side), paths in zip(jobs, binaries)}
    with open(out_path, "w") as out:
        for fix in fixes:
            row = {"case": fix["case"], **{side: sides[fix["case"], side] for side in ("before", "after")}}
            out.write(json.dumps(row) + "\n")
    differing = [fix["case"] for fix in fixes if printed(sides, fix, "before") != printed(sides, fix, "after")]
    print(len(fixes), "fixes; other output:", ", ".join(differing) or "none")


def printed(sides, fix, side):
    return sides[fix["case"], side].get("output")


def build(folder, fix, side):
    """The program to profile and the one whose output counts: mostly the same."""
    source = os.path.join(folder, f"{fix['case']}.{side}.cu")
    plain = compile_program(source, source[:-3], [])
    capture = ["-include", os.path.join(folder, "capture.cuh")]
    return plain, compile_program(source, source[:-3] + ".capture", capture) if fix["capture"] else plain


def compile_program(source, program, options):
    command = ["nvcc", "-w", "-arch=" + TRUTH.ARCH, "-lineinfo", "-O3", "-std=c++17", *options, source, "-o", program]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return program if result.returncode == 0 else {"error": result.stdout[-600:]}


def record(fix, side, plain, printing):
    for each in (plain, printing):
        if isinstance(each, dict):
            return each
    result = subprocess.run([printing], stdout=subprocess.PIPE, text=True, timeout=60)
    lines = [line for line in result.stdout.split("\n") if line and (line.startswith("checksum") or not fix["capture"])]
    if result.returncode != 0:
        return {"output": lines, "error": f"the program ends with {result.returncode}"}
    try:
        launches = TRUTH.profile(plain, [])
    except (RuntimeError, subprocess.SubprocessError) as error:
        return {"output": lines, "error": str(error)[:600]}
    distinct = {}
    for launch in launches:
        row = {"case": f"{fix['case']}.{side}.cu", **launch}
        distinct.setdefault(json.dumps(row), {**row, "launches": 0})["launches"] += 1
    print(fix["case"], side, lines[-1:] if lines else "", flush=True)
    return {"output": lines, "launches": list(distinct.values())}


if __name__ == "__main__":
    main()
