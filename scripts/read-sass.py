#!/usr/bin/env python3
"""Read the memory instructions that nvcc makes of CUDA programs, with their widths and lines. Needs nvcc alone, no GPU and no cuobjdump.

    read-sass.py CASE.cu [CASE.cu ...]

Prints one JSON object a kernel, as scripts/record-truth.py does: case, kernel (demangled), sites. A site is one machine instruction: line,
file, sass and bits, and `callers`, the [file, line] of the calls that it was inlined through, innermost first. How often it is executed and
what it costs only a GPU knows; atomics have no width here.
Environment: ARCH (sm_90 by default, the only one whose encoding is known here).

The encoding is read off programs that an H200 recorded: the operation in the low 12 bits of an instruction of 128, the predicate in the next
four, the width of what it accesses in bits 73 to 75. Line tables have NVIDIA's own operation 0x90: the row of the table that holds the call.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

ARCH = os.environ.get("ARCH", "sm_90")

OPERATIONS = {
    0x984: "LDS", 0x388: "STS", 0x988: "STS", 0x981: "LDG", 0x386: "STG", 0x986: "STG", 0x980: "LD", 0x385: "ST", 0x985: "ST",
    0x38C: "ATOMS", 0x98C: "ATOMS", 0x38D: "ATOMS", 0x98D: "ATOMS", 0x3A3: "ATOMG", 0x9A3: "ATOMG", 0x3A8: "ATOMG", 0x9A8: "ATOMG",
    0x3A9: "ATOMG", 0x9A9: "ATOMG", 0x38E: "RED", 0x98E: "RED", 0x9A6: "RED",
    0x83B: "LDSM", 0x844: "STSM", 0xFAE: "LDGSTS", 0x9AE: "LDGSTS",
}  # fmt: skip
ATOMICS = {"ATOMS", "ATOMG", "RED"}
WIDTH_BITS = {0: 8, 1: 8, 2: 16, 3: 16, 4: 32, 5: 64, 6: 128}
INSTRUCTION_BYTES = 16
NEVER = 15
# ELF
NO_BITS = 8
SYMBOL_BYTES = 24
# DWARF's line programs
EXTENDED, COPY, ADVANCE_PC, ADVANCE_LINE, SET_FILE, CONST_ADD_PC, FIXED_ADVANCE_PC = 0, 1, 2, 3, 4, 8, 9
END_SEQUENCE, SET_ADDRESS, INLINED_IN = 1, 2, 0x90


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        for path in sys.argv[1:]:
            cubin = os.path.join(folder, "case.cubin")
            subprocess.run(["nvcc", "-w", f"-arch={ARCH}", "-lineinfo", "-std=c++17", "--extended-lambda", "-cubin", path, "-o", cubin], check=True)
            for mangled, sites in kernels_of(cubin):
                row = {"case": os.path.basename(path), "kernel": demangled(mangled), "mangled": mangled, "sites": sites}
                print(json.dumps(row))


def demangled(name):
    return subprocess.run(["c++filt", name], capture_output=True, text=True, check=True).stdout.strip()


def kernels_of(path):
    """The mangled name and the sites of each kernel."""
    with open(path, "rb") as file:
        sections = sections_of(file.read())
    lines = lines_of(sections)
    for index, section in enumerate(sections):
        if not section["name"].startswith(".text."):
            continue
        at = {}
        for address, frames in lines.get(index, []):
            # Of several rows at one address Nsight Compute shows the first: of a call, in front of what is inlined of it.
            at.setdefault(address, frames)
        yield section["name"][len(".text.") :], list(sites_of(section["data"], at))


def sites_of(code, places):
    frames = [("", 0)]
    for address in range(0, len(code), INSTRUCTION_BYTES):
        frames = places.get(address, frames)
        low, high = struct.unpack_from("<QQ", code, address)
        operation = OPERATIONS.get(low & 0xFFF)
        if operation is None or (low >> 12) & 15 == NEVER:
            continue
        bits = 32 if operation in ATOMICS else WIDTH_BITS.get((high >> 9) & 7)
        (file, line), *callers = frames
        yield {"line": line, "file": file, "callers": callers, "sass": operation, "bits": bits}


def sections_of(data):
    (headers,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    sections = []
    for index in range(count):
        name, kind, _, _, offset, length = struct.unpack_from("<IIQQQQ", data, headers + index * size)
        content = b"" if kind == NO_BITS else data[offset : offset + length]
        sections.append({"name": name, "offset": offset, "data": content})
    texts = sections[names]["offset"]
    for section in sections:
        start = texts + section["name"]
        section["name"] = data[start : data.index(b"\0", start)].decode()
    return sections


def lines_of(sections):
    """By section of code: address and frames (file and line, innermost first) of each row of the line tables."""
    by_name = {section["name"]: section["data"] for section in sections}
    data = by_name.get(".debug_line", b"")
    targets = relocations_of(by_name)
    rows = {}
    start = 0
    while start < len(data):
        (length,) = struct.unpack_from("<I", data, start)
        end = start + 4 + length
        for section, address, frames in unit_rows(data, start, end, targets):
            rows.setdefault(section, []).append((address, frames))
        start = end
    return rows


def relocations_of(by_name):
    """By offset in the line tables: the section whose code starts there, and the address in it."""
    targets = {}
    for name, size in ((".rela.debug_line", 24), (".rel.debug_line", 16)):
        data = by_name.get(name, b"")
        for at in range(0, len(data), size):
            offset, info = struct.unpack_from("<QQ", data, at)
            symbol = (info >> 32) * SYMBOL_BYTES
            (section,) = struct.unpack_from("<H", by_name[".symtab"], symbol + 6)
            (value,) = struct.unpack_from("<Q", by_name[".symtab"], symbol + 8)
            targets[offset] = (section, value)
    return targets


def unit_rows(data, start, end, targets):
    """Runs one line program."""
    version, header_length = struct.unpack_from("<HI", data, start + 4)
    at = start + 10
    program = at + header_length
    least_length = data[at]
    at += 2 if version >= 4 else 1
    (line_base,) = struct.unpack_from("b", data, at + 1)
    line_range, opcode_base = data[at + 2], data[at + 3]
    operand_counts = data[at + 4 : at + 3 + opcode_base]
    files = files_of(data, at + 3 + opcode_base)
    at, section, address, file, line, call = program, None, 0, 1, 1, 0
    table = []
    while at < end:
        opcode = data[at]
        at += 1
        emits = opcode == COPY
        if opcode == EXTENDED:
            length, at = uleb(data, at)
            if data[at] == END_SEQUENCE:
                address, file, line, call = 0, 1, 1, 0
                table = []
            elif data[at] == INLINED_IN:
                call, _ = uleb(data, at + 1)
            elif data[at] == SET_ADDRESS:
                section, value = targets.get(at + 1, (None, 0))
                address = value + struct.unpack_from("<Q", data, at + 1)[0]
            at += length
        elif opcode >= opcode_base:
            address += (opcode - opcode_base) // line_range * least_length
            line += line_base + (opcode - opcode_base) % line_range
            emits = True
        elif opcode == ADVANCE_PC:
            value, at = uleb(data, at)
            address += value * least_length
        elif opcode == ADVANCE_LINE:
            value, at = sleb(data, at)
            line += value
        elif opcode == SET_FILE:
            file, at = uleb(data, at)
        elif opcode == CONST_ADD_PC:
            address += (255 - opcode_base) // line_range * least_length
        elif opcode == FIXED_ADVANCE_PC:
            address += struct.unpack_from("<H", data, at)[0]
            at += 2
        elif not emits:
            for _ in range(operand_counts[opcode - 1]):
                _, at = uleb(data, at)
        if emits:
            name = os.path.basename(files[file]) if file < len(files) else ""
            # Rows are counted from 1; 0 is none. Those of calls stand before.
            table.append([(name, line)] + (table[call - 1] if 0 < call <= len(table) else []))
            yield section, address, table[-1]


def files_of(data, at):
    """The names of a program's files, from 1 on, behind its directories."""
    while data[at]:
        at = data.index(b"\0", at) + 1
    at += 1
    files = [""]
    while data[at]:
        end = data.index(b"\0", at)
        files.append(data[at:end].decode())
        at = end + 1
        for _ in range(3):
            _, at = uleb(data, at)
    return files


def uleb(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, at


def sleb(data, at):
    start = at
    value, at = uleb(data, at)
    bits = 7 * (at - start)
    return (value - (1 << bits) if data[at - 1] & 0x40 else value), at


main()
