#!/usr/bin/env python3
"""Prints how much of the core modules the tests ran, by regions, and fails below a floor.

    swift test --enable-code-coverage --scratch-path .build-coverage
    python3 Tests/Checks/coverage.py .build-coverage 90

Asks the toolchain's own llvm-cov, as others refuse the format of its profiles.
"""

import glob
import json
import os
import shutil
import subprocess
import sys

MODULES = ["PredicateSyntax", "ZoneQuery"]


def main():
    scratch, floor = sys.argv[1], float(sys.argv[2])
    tools = os.path.dirname(os.path.realpath(shutil.which("swift")))
    (binary,) = glob.glob(os.path.join(scratch, "debug", "*PackageTests.xctest"))
    profile = os.path.join(scratch, "debug", "codecov", "default.profdata")
    output = subprocess.run(
        [os.path.join(tools, "llvm-cov"), "export", "-summary-only", "-instr-profile", profile, binary],
        check=True, capture_output=True, text=True).stdout
    files = [(entry["filename"], entry["summary"]["regions"]) for entry in json.loads(output)["data"][0]["files"]]
    failed = False
    for module in MODULES:
        own = [(name, regions) for name, regions in files if f"/Sources/{module}/" in name]
        count = sum(regions["count"] for _, regions in own)
        covered = sum(regions["covered"] for _, regions in own)
        share = 100 * covered / max(1, count)
        print(f"{module}: {share:.2f} % of {count} regions in {len(own)} files (at least {floor:g} %)")
        failed = failed or share < floor
        worst = sorted(own, key=lambda entry: entry[1]["covered"] - entry[1]["count"])[:8]
        for name, regions in worst:
            print(f"  {regions['count'] - regions['covered']:5} missed of {regions['count']:5}  {os.path.basename(name)}")
    return 1 if failed else 0


sys.exit(main())
