#!/usr/bin/env python3
"""Looks whether the kernels of Sources/ZoneQuery/Matching/ColumnKernels.swift came out vectorised (x86-64).

    swift build -c release && python3 Tests/Checks/kernels.py .build/release/zonequery

Needs binutils (objdump). For each kernel: the packed instructions, which must be there, and the calls, of which there
must be none: a call in a kernel is an operation of the standard library that was not specialised, and costs ten times
the kernel.
"""
import re
import subprocess
import sys

PACKED = re.compile(r"^(p(add|sub|and|andn|or|xor|srl|sll|shuf|unpck|cmp)\w*|(cmp\w*|and|andn|or|xor|sub|add|shuf)p[sd])$")


def kernels(path):
    listing = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True).stdout
    name = None
    for line in listing.splitlines():
        head = re.match(r"^[0-9a-f]+ <(.*)>:$", line)
        if head:
            found = re.search(r"13ColumnKernelsO\d+([a-z]+)_4rows6wanted\d+([a-z]+)", head.group(1))
            name = f"{found.group(1)} {found.group(2)}" if found else None
        elif name and "\t" in line:
            yield name, line.split("\t")[1].split()[0]


def main():
    counts = {}
    for name, instruction in kernels(sys.argv[1]):
        kind = "packed" if PACKED.match(instruction) else "calls" if instruction.startswith("call") else "others"
        counts.setdefault(name, {"packed": 0, "calls": 0, "others": 0})[kind] += 1
    for name, count in sorted(counts.items()):
        print(f"{name:20} packed {count['packed']:4}  others {count['others']:4}  calls {count['calls']:2}")
    bad = [name for name, count in counts.items() if count["packed"] < 40 or count["calls"] > 0]
    if len(counts) < 4 or bad:
        sys.exit(f"not vectorised: {', '.join(bad) or 'kernels are missing'}")


main()
