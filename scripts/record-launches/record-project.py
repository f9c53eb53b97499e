"""Prints, as JSON, the launches that the programs of projects of this repository make, without a GPU: record-project.py FOLDER…

Each is built as FOLDER.recipe.json says, with the toolkit's runtime as a shared library, in front of which runtime.cpp is loaded. Kernels do not run: what a
host decides by their results may differ from what it does on a GPU.
"""
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
line = re.compile(r"> (.*) grid \((\d+),(\d+),(\d+)\) block \((\d+),(\d+),(\d+)\)(?: shared (\d+))? args ")


def main():
    work = tempfile.mkdtemp()
    try:
        runtime = os.path.join(work, "runtime.so")
        cuda = os.environ.get("CUDA_HOME", "/usr/local/cuda")
        run(["g++", "-std=c++17", "-w", "-shared", "-fPIC", f"-I{cuda}/include", f"{here}/runtime.cpp", "-o", runtime])
        wrap(f"{work}/bin", "nvcc", 'exec {real} "$@" -cudart shared')
        wrap(f"{work}/bin", "cmake", 'case "$1" in --build|-E|--install|-P) exec {real} "$@";; *) exec {real} "$@" -DCMAKE_CUDA_RUNTIME_LIBRARY=Shared;; esac')
        for folder in sys.argv[1:]:
            folder = folder.rstrip("/")
            launches = launches_of(folder, runtime, work)
            print(json.dumps({"project": os.path.basename(folder), "launches": launches}), flush=True)
    finally:
        shutil.rmtree(work)


def wrap(folder, name, script):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write("#!/bin/sh\n" + script.format(real=shutil.which(name)) + "\n")
    os.chmod(path, 0o755)


def launches_of(folder, runtime, work):
    """Kernel, grid, block, dynamic shared bytes and how often, in the order of the first of each."""
    project = os.path.join(work, os.path.basename(folder))
    shutil.copytree(folder, project)
    with open(f"{folder}.recipe.json") as file:
        recipe = json.load(file)
    path = f"{work}/bin:{os.environ['PATH']}"
    for command in recipe["build"]:
        run(["sh", "-c", command], cwd=project, env={**os.environ, "PATH": path, "CUDACXX": f"{work}/bin/nvcc"})
    counts = collections.Counter()
    for command in recipe["runs"]:
        said = os.path.join(work, "launches")
        env = {**os.environ, "LD_PRELOAD": runtime, "LAUNCHES_FILE": said}
        ended = subprocess.run(command.split(), cwd=project, env=env, stdout=subprocess.DEVNULL, timeout=60)
        if ended.returncode != 0:
            print(f"{folder}: {command} ended with {ended.returncode}", file=sys.stderr)
        with open(said) as file:
            counts.update(text.split(" args ")[0] + " args " for text in file)
        os.remove(said)
    return [launch_of(text, count) for text, count in counts.items()]


def launch_of(text, count):
    kernel, *numbers = line.match(text).groups()
    *shape, shared = [int(each or 0) for each in numbers]
    return {"kernel": kernel, "grid": shape[:3], "block": shape[3:], "sharedBytes": shared, "count": count}


def run(command, **rest):
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **rest)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{ended.stdout}")


main()
