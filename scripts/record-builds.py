#!/usr/bin/env python3
"""Record what a project's build passes to its compilers, by standing in for them.

    record-builds.py OUT.json FOLDER     runs the build of FOLDER.recipe.json in a copy of the folder

Compilers that the build finds on the PATH are stood in for by a program that notes its arguments and runs the real one. OUT.json is a list, an entry a
compiled source: source, compiler, defines (name to value), undefines, includePaths ([path, kind]), forcedIncludes, architectures (numbers), standard.
Paths are relative to the folder where they lie in it. Only for projects of our own: builds are executed.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

COMPILERS = ("nvcc", "c++", "g++", "clang++", "cc", "gcc", "clang")
STAND_IN = """#!/usr/bin/env python3
import json, os, sys
name, here = os.path.basename(sys.argv[0]), os.path.dirname(os.path.abspath(sys.argv[0]))
if "WARPLINT_INSIDE" not in os.environ:
    with open(os.environ["WARPLINT_LOG"], "a") as log:
        log.write(json.dumps({"directory": os.getcwd(), "compiler": name, "arguments": sys.argv[1:]}) + "\\n")
os.environ["PATH"] = os.pathsep.join(p for p in os.environ["PATH"].split(os.pathsep) if os.path.abspath(p) != here)
if name == "nvcc":
    os.environ["WARPLINT_INSIDE"] = "1"
os.execvp(name, [name, *sys.argv[1:]])
"""
SOURCES = re.compile(r"\.(cu|cpp|cc|cxx|c)$")
# Options of nvcc and GCC whose value is the next word.
VALUED = {"-o", "-ccbin", "--compiler-bindir", "-Xptxas", "--ptxas-options", "-Xlinker", "--linker-options", "-Xcompiler", "--compiler-options", "-maxrregcount", "-x", "-MF", "-MT", "-MQ", "-t", "--threads", "-L", "-l", "-Xcudafe", "-Xfatbin", "-Xnvlink", "-diag-suppress"}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    out, source = sys.argv[1], sys.argv[2].rstrip("/")
    with open(source + ".recipe.json") as text:
        recipe = json.load(text)
    with tempfile.TemporaryDirectory() as above:
        above = os.path.realpath(above)
        folder = os.path.join(above, os.path.basename(source))
        shutil.copytree(source, folder)
        calls = build(recipe["build"], folder, above)
        entries = [entry for call in calls for entry in compilations(call, folder)]
    distinct = {json.dumps(entry, sort_keys=True): entry for entry in entries}
    with open(out, "w") as file:
        json.dump(sorted(distinct.values(), key=lambda entry: json.dumps(entry, sort_keys=True)), file, indent=1)
        file.write("\n")
    print(f"{os.path.basename(source)}: {len(distinct)} compilations")


def build(commands, folder, above):
    shims = os.path.join(above, "compilers")
    os.mkdir(shims)
    for name in COMPILERS:
        if shutil.which(name):
            with open(os.path.join(shims, name), "w") as file:
                file.write(STAND_IN)
            os.chmod(os.path.join(shims, name), 0o755)
    log = os.path.join(above, "log.jsonl")
    open(log, "w").close()
    environment = {**os.environ, "PATH": shims + os.pathsep + os.environ["PATH"], "WARPLINT_LOG": log}
    for command in commands:
        result = subprocess.run(command, shell=True, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            sys.exit(f"FAILED {command}\n{result.stdout[-3000:]}")
    with open(log) as lines:
        return [json.loads(line) for line in lines]


def compilations(call, folder):
    """One entry for each source of the folder that the call compiles; what CMake tries out lies in its own folders and is left out."""
    directory, words = call["directory"], expanded(call["arguments"], call["directory"])
    entry = {"compiler": "nvcc" if call["compiler"] == "nvcc" else "host", "defines": {}, "undefines": [], "includePaths": [], "forcedIncludes": [], "architectures": [], "standard": None}
    path = lambda text: relative(os.path.normpath(os.path.join(directory, text)), folder)
    sources = []
    words = iter(words)
    for word in words:
        value = lambda prefix: word[len(prefix):].lstrip("=") or next(words)
        if re.match(r"-D|--define-macro", word):
            name, _, text = value("--define-macro" if word.startswith("--") else "-D").partition("=")
            entry["defines"][name] = text if _ else "1"
            entry["undefines"] = [each for each in entry["undefines"] if each != name]
        elif re.match(r"-U|--undefine-macro", word):
            name = value("--undefine-macro" if word.startswith("--") else "-U")
            entry["defines"].pop(name, None)
            entry["undefines"].append(name)
        elif re.match(r"-I|--include-path", word):
            entry["includePaths"].append([path(value("--include-path" if word.startswith("--") else "-I")), "user"])
        elif re.match(r"-isystem|--system-include", word):
            entry["includePaths"].append([path(value("--system-include" if word.startswith("--") else "-isystem")), "system"])
        elif word.startswith("-iquote"):
            entry["includePaths"].append([path(value("-iquote")), "quote"])
        elif re.fullmatch(r"-include|--pre-include", word):
            entry["forcedIncludes"].append(path(next(words)))
        elif re.match(r"(-gencode|--generate-code|-arch|--gpu-architecture|-code|--gpu-code)\b", word):
            text = word.partition("=")[2] or next(words)
            entry["architectures"] += [int(each) for each in re.findall(r"(?:sm|compute|lto)_(\d+)", text)]
        elif re.match(r"-std|--std", word):
            entry["standard"] = word.partition("=")[2] or next(words)
        elif word in VALUED:
            next(words)
        elif not word.startswith("-") and SOURCES.search(word):
            sources.append(path(word))
    entry["architectures"] = sorted(set(entry["architectures"]))
    inside = [each for each in sources if not os.path.isabs(each) and "CMakeFiles" not in each]
    return [{"source": source, **entry} for source in inside]


def expanded(words, directory):
    """With response files put in: `@f`, `--options-file f`."""
    out = []
    words = iter(words)
    for word in words:
        name = word[1:] if word.startswith("@") else next(words) if word in ("--options-file", "-optf") else None
        if name is None:
            out.append(word)
        else:
            with open(os.path.join(directory, name)) as text:
                out += expanded(shlex.split(text.read()), directory)
    return out


def relative(path, folder):
    return os.path.relpath(path, folder) if (path + "/").startswith(folder + "/") else path


if __name__ == "__main__":
    main()
