#!/usr/bin/env python3
"""Reports of Nsight Compute as its users export them: the file, its source page and its raw page as CSV.

    record-reports.py FOLDER CASE.cu [CASE.cu ...]

writes NAME.ncu-rep, NAME.source.csv and NAME.raw.csv, each compressed by gzip, into FOLDER. Needs nvcc, ncu and a GPU.
"""
import gzip
import importlib.util
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = importlib.util.spec_from_file_location("record_truth", os.path.join(HERE, "record-truth.py"))
TRUTH = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(TRUTH)

PAGES = {
    "source.csv": ["--page", "source", "--print-source", "cuda,sass", "--csv"],
    "raw.csv": ["--page", "raw", "--csv"],
}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder, *cases = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [each for each in pool.map(lambda case: record(folder, case), cases) if each]
    print(len(cases), "programs; failed:", "\n".join(failures) or "none")


def record(folder, case):
    """What went wrong, or None. ncu itself lets one process at a time use the counters."""
    name = os.path.basename(case)[:-3]
    with tempfile.TemporaryDirectory() as scratch:
        try:
            program = TRUTH.compile_program(case, scratch)
            report = os.path.join(scratch, name + ".ncu-rep")
            sections = ["--section", "SourceCounters", "--section", "LaunchStats"]
            command = ["ncu", "--clock-control", "none", *sections, "-f", "-o", report, program]
            subprocess.run(command, check=True, capture_output=True, timeout=300)
            keep(folder, name + ".ncu-rep", open(report, "rb").read())
            for page, options in PAGES.items():
                printed = subprocess.run(["ncu", "--import", report, *options], check=True, capture_output=True, timeout=300)
                keep(folder, f"{name}.{page}", printed.stdout)
        except subprocess.SubprocessError as error:
            return f"{case}: {error} {getattr(error, 'stdout', b'')[-400:]}"
    return None


def keep(folder, name, data):
    with open(os.path.join(folder, name + ".gz"), "wb") as out:
        out.write(gzip.compress(data, 9, mtime=0))


if __name__ == "__main__":
    main()
