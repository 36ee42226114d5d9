#!/usr/bin/env python3
"""Writes Sources/ZoneQuery/Indexing/KeyEncoding+Codes.swift: the codes of bytes in the keys of ordered indexes.

    Tests/Generators/text_codes.py            write the file
    Tests/Generators/text_codes.py --check    exit 1 where the file would change

The code is alphabetic: codes are in the order of their bytes and none begins with another, so that texts are in the
order of their codes, laid end to end (T. C. Hu, A. C. Tucker, "Optimal computer search trees and variable-length
alphabetical codes", 1971). Every code has a bit that is set, and none has set bits alone. The lengths are near the best
for names of people, places and things: small letters take 5 to 7 bits, digits 7, capitals 8, letters of U+00C0 to
U+00FF (Latin ones with a mark) and of U+0400 to U+047F (Cyrillic ones) 17, what else has two bytes 20 or 21, what has
three 29, what has four 39.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "Sources/ZoneQuery/Indexing/KeyEncoding+Codes.swift"
WIDTH = 16

# The last byte of a run of equal lengths, and how many bits each of its codes has.
LENGTHS = [
    (0x00, 11), (0x1F, 10), (0x20, 5), (0x2B, 12), (0x2C, 8), (0x2D, 7), (0x2F, 8), (0x39, 7), (0x40, 12),
    (0x5A, 8), (0x5E, 10), (0x60, 8), ("a", 5), ("c", 6), ("e", 5), ("g", 6), ("i", 5), ("m", 6), ("o", 5),
    ("q", 6), ("t", 5), ("y", 6), ("z", 7), (0x7F, 12), (0xBF, 9), (0xC2, 12), (0xC3, 8), (0xCD, 12), (0xCF, 11),
    (0xD1, 8), (0xD6, 12), (0xD9, 11), (0xDF, 12), (0xEF, 11), (0xF4, 12), (0xFF, 14),
]


def entries():
    """The code of each byte, from the top of 16 bits, above its length."""
    lengths = []
    for last, length in LENGTHS:
        while len(lengths) <= (ord(last) if isinstance(last, str) else last):
            lengths.append(length)
    following = 1 << WIDTH - lengths[0]
    for length in lengths:
        step = 1 << WIDTH - length
        code = (following + step - 1) // step * step
        following = code + step
        assert 0 < code and following < 1 << WIDTH, "the codes do not fit"
        yield code << WIDTH | length


def generate():
    words = [f"0x{entry:08X}" for entry in entries()]
    rows = [", ".join(words[start : start + 8]) for start in range(0, len(words), 8)]
    table = "".join(f"    {row},\n" for row in rows)
    return f"""// Generated. Do not edit; write it anew with
//   Tests/Generators/text_codes.py

extension KeyEncoding {{
  /// The code of each byte from the highest bit of 32 on, and in the lower 16 bits how many bits it has.
  static let codes: [UInt32] = [
{table}  ]
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    text = generate()
    if arguments.check:
        if not OUTPUT.exists() or OUTPUT.read_text(encoding="utf-8") != text:
            sys.exit(f"{OUTPUT.relative_to(ROOT)} is not what the generator writes")
        print(f"{OUTPUT.relative_to(ROOT)} is what the generator writes")
    else:
        OUTPUT.write_text(text, encoding="utf-8")
        print(f"{OUTPUT.relative_to(ROOT)}: {len(text)} bytes")


if __name__ == "__main__":
    main()
