#!/usr/bin/env python3
"""Writes Sources/ZoneQuery/Text/UnicodeTables+Data.swift from the Unicode Character Database.

    Tests/Generators/generate-unicode-tables.py            write the file
    Tests/Generators/generate-unicode-tables.py --check    exit 1 where the file would change

The database is read from /usr/share/unicode (Debian's package unicode-data) or from --ucd DIR.
Python's own unicodedata module takes no part: its version follows the interpreter, not the database.

What the tables say, and the facts about Unicode that the Swift code relies on, each proved below for the
version at hand (a failing proof stops the generator):

- Each folding is a mapping of single scalars. Canonical ordering moves only scalars whose combining class is
  not zero; all of those are marks, and all marks are removed or (U+0345 alone, where case is folded) become
  one and the same letter. So no order of marks can show in a folding that removes marks.
- Each scalar of a folding's result folds to itself, so folding twice is folding once.
- A scalar that makes a word segment worth keeping never folds to nothing.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "Sources/ZoneQuery/Text/UnicodeTables+Data.swift"
SCALARS = 0x110000
HANGUL = range(0xAC00, 0xAC00 + 11172)
LEADING, VOWEL, TRAILING = range(0x1100, 0x1113), range(0x1161, 0x1176), range(0x11A8, 0x11C3)

# The values of Word_Break, in the order of their raw values in Swift.
WORD_BREAK = """Other CR LF Newline Extend ZWJ Format Regional_Indicator Katakana Hebrew_Letter ALetter
Single_Quote Double_Quote MidNumLet MidLetter MidNum Numeric ExtendNumLet WSegSpace""".split()
PICTOGRAPHIC, KEEPS, FOLDS = 0x20, 0x40, 0x80

# Entries of a mapping table that are no offset into the pool.
IDENTITY, SYLLABLE, JAMO = 0, 0xFFFF, 0xFFFE


class Database:
    """The files of the Unicode Character Database that the tables need."""

    def __init__(self, folder):
        self.folder = folder
        self.category = ["Cn"] * SCALARS
        self.combining_class = [0] * SCALARS
        self.decomposition = {}
        self.read_unicode_data()
        self.casefold = {}
        for fields in self.lines("CaseFolding.txt"):
            if fields[1] in ("C", "F"):
                self.casefold[int(fields[0], 16)] = [int(part, 16) for part in fields[2].split()]
        self.word_break = [0] * SCALARS
        for scalar, value in self.ranges("auxiliary/WordBreakProperty.txt"):
            self.word_break[scalar] = WORD_BREAK.index(value)
        self.pictographic = self.having("emoji/emoji-data.txt", "Extended_Pictographic")
        self.alphabetic = self.having("DerivedCoreProperties.txt", "Alphabetic")
        self.ideographic = self.having("PropList.txt", "Ideographic")
        first = (folder / "CaseFolding.txt").read_text(encoding="utf-8").split("\n", 1)[0]
        self.version = re.search(r"(\d+\.\d+\.\d+)", first).group(1)

    def lines(self, name):
        for line in (self.folder / name).read_text(encoding="utf-8").split("\n"):
            line = line.split("#", 1)[0].strip()
            if line:
                yield [field.strip() for field in line.split(";")]

    def ranges(self, name):
        for fields in self.lines(name):
            first, _, last = fields[0].partition("..")
            for scalar in range(int(first, 16), int(last or first, 16) + 1):
                yield scalar, fields[1]

    def having(self, name, value):
        return {scalar for scalar, found in self.ranges(name) if found == value}

    def read_unicode_data(self):
        first = None
        for fields in self.lines("UnicodeData.txt"):
            scalar = int(fields[0], 16)
            if fields[1].endswith(", First>"):
                first = scalar
                continue
            for each in range(first if first is not None else scalar, scalar + 1):
                self.category[each] = fields[2]
                self.combining_class[each] = int(fields[3])
            first = None
            if fields[5]:
                tag, _, rest = fields[5].rpartition("> ")
                self.decomposition[scalar] = (tag != "", [int(part, 16) for part in rest.split()])

    def decompose(self, scalars, compatibility):
        """The full decomposition, without the canonical ordering (see the proof in `mappings`)."""
        result = []
        for scalar in scalars:
            if scalar in HANGUL:
                index = scalar - 0xAC00
                result += [0x1100 + index // 588, 0x1161 + index % 588 // 28]
                result += [0x11A7 + index % 28] if index % 28 else []
            elif scalar in self.decomposition and (compatibility or not self.decomposition[scalar][0]):
                result += self.decompose(self.decomposition[scalar][1], compatibility)
            else:
                result.append(scalar)
        return result

    def fold_case(self, scalars):
        return [each for scalar in scalars for each in self.casefold.get(scalar, [scalar])]

    def is_mark(self, scalar):
        return self.category[scalar][0] == "M"

    def without_marks(self, scalars):
        return [scalar for scalar in scalars if not self.is_mark(scalar)]

    def keeps(self, scalar):
        """Whether a word segment with this scalar is a token: it is a letter, a digit or an ideograph.
        The halfwidth voicing signs, letters by category, count as the marks that they decompose to."""
        if all(map(self.is_mark, self.decompose([scalar], True))):
            return False
        return (self.category[scalar][0] in "LN" or scalar in self.alphabetic
                or scalar in self.ideographic)


def case_alone(database, scalar):
    return database.fold_case([scalar])


def marks_alone(database, scalar):
    return database.without_marks(database.decompose([scalar], False))


def case_and_marks(database, scalar):
    folded = database.fold_case(database.decompose([scalar], False))
    return database.without_marks(database.decompose(folded, False))


def token(database, scalar):
    before, folded = None, [scalar]
    while folded != before:
        before = folded
        folded = database.fold_case(database.decompose(folded, True))
    return [0x27 if each == 0x2019 else each for each in database.without_marks(folded)]


FOLDINGS = [case_alone, marks_alone, case_and_marks, token]


def prove(condition, claim):
    if not condition:
        sys.exit(f"the Unicode data contradicts what the code relies on: {claim}")


def mappings(database):
    """Each folding as a dictionary from a scalar to its mapping, without those that map to themselves."""
    tables = []
    for folding in FOLDINGS:
        table = {}
        for scalar in range(SCALARS):
            if 0xD800 <= scalar < 0xE000:
                continue
            mapped = folding(database, scalar)
            if mapped != [scalar]:
                table[scalar] = mapped
        tables.append(table)
        for mapped in table.values():
            prove(all(table.get(each, [each]) == [each] for each in mapped), f"{folding.__name__} is stable")
    for scalar in range(SCALARS):
        prove(database.combining_class[scalar] == 0 or database.is_mark(scalar),
              "a scalar with a combining class is a mark")
        if database.is_mark(scalar):
            for folding, table in zip(FOLDINGS[1:], tables[1:]):
                expected = [0x3B9] if scalar == 0x345 and folding is not marks_alone else []
                prove(table.get(scalar) == expected, f"{folding.__name__} removes marks")
        prove(not database.keeps(scalar) or tables[3].get(scalar) != [], "a kept scalar leaves something")
    for scalar in range(0x80):
        lower = scalar + 32 if 0x41 <= scalar <= 0x5A else scalar
        prove([table.get(scalar, [scalar]) for table in tables] == [[lower], [scalar], [lower], [lower]],
              "ASCII folds as its letters do")
        prove(database.keeps(scalar) == chr(scalar).isalnum(), "ASCII letters and digits are kept")
        prove(database.word_break[scalar] not in (4, 5, 6, 7, 8, 9), "no ASCII is ignored by WB4")
    return tables


def blocks(values, size):
    """The distinct blocks of `size` values in order of first appearance, and each block's number."""
    numbers, pool, index = {}, [], []
    for start in range(0, len(values), size):
        block = tuple(values[start:start + size])
        if block not in numbers:
            numbers[block] = len(numbers)
            pool += block
        index.append(numbers[block])
    return index, pool


def trie(values):
    """The three stages of a table over all scalars: what a scalar's high bits select, then its next six
    bits, then its low four. (Of all the shapes tried, 6 and 4 make the mappings smallest.)"""
    index, leaves = blocks(values, 16)
    top, middle = blocks(index, 64)
    return top, middle, leaves


class Pool:
    """The mappings' results as UTF-8, each behind its length, each written once."""

    def __init__(self):
        self.bytes = bytearray([0])
        self.offsets = {}

    def offset(self, scalars):
        text = "".join(map(chr, scalars)).encode("utf-8")
        if text not in self.offsets:
            self.offsets[text] = len(self.bytes)
            self.bytes += bytes([len(text)]) + text
        return self.offsets[text]


def entries(table, pool, composes):
    """A mapping table's entry for each scalar."""
    values = [IDENTITY] * SCALARS
    for scalar, mapped in table.items():
        if scalar not in HANGUL:
            values[scalar] = pool.offset(mapped)
        elif not composes:
            values[scalar] = SYLLABLE
    if composes:
        for scalar in [*LEADING, *VOWEL, *TRAILING]:
            values[scalar] = JAMO
    return values


def literal(name, comment, data):
    """A byte string as a Swift string literal: six bits a character, counted from "0"."""
    padded = data + bytes(-len(data) % 3)
    characters = []
    for start in range(0, len(padded), 3):
        word = int.from_bytes(padded[start:start + 3], "little")
        characters += [chr(48 + (word >> shift & 63)) for shift in (0, 6, 12, 18)]
    text = "".join(characters)
    rows = [text[start:start + 104] for start in range(0, len(text), 104)]
    body = "\n".join(f"    {row}" for row in rows)
    return f'  /// {comment}\n  static let {name} = #"""\n{body}\n    """#\n'


def words(values):
    return b"".join(value.to_bytes(2, "little") for value in values)


def camel(name):
    first, *rest = name.replace("CR", "Cr").replace("LF", "Lf").replace("ZWJ", "Zwj").split("_")
    spelled = {"Cr": "carriageReturn", "Lf": "lineFeed", "Zwj": "zeroWidthJoiner", "ALetter": "letter",
               "WSegSpace": "space"}
    if first in spelled:
        return spelled[first]
    return first[0].lower() + first[1:] + "".join(rest)


def generate(database):
    tables = mappings(database)
    properties = [
        database.word_break[scalar]
        | (PICTOGRAPHIC if scalar in database.pictographic else 0)
        | (KEEPS if database.keeps(scalar) else 0)
        | (FOLDS if scalar in tables[3] else 0)
        for scalar in range(SCALARS)
    ]
    pool = Pool()
    folds = [entries(table, pool, composes) for table, composes in zip(tables, (False, True, True, False))]
    prove(len(pool.bytes) < JAMO, "the pool's offsets fit into 16 bits")

    top, middle, leaves = trie(properties)
    # The four mappings share their blocks.
    fold_top, fold_middle, fold_leaves = trie([value for values in folds for value in values])
    prove(max(top + fold_top) < 256, "the blocks of the middle stage are counted in a byte")

    sections = [
        literal("propertyTop", "Scalar >> 10 → block of `propertyMiddle`.", bytes(top)),
        literal("propertyMiddle", "64 entries of 16 bits a block: scalar >> 4 → block of `propertyLeaves`.",
                words(middle)),
        literal("propertyLeaves", "16 entries a block: the scalar's property byte.", bytes(leaves)),
        literal("foldTop", "Folding × 1,088 + scalar >> 10 → block of `foldMiddle`.", bytes(fold_top)),
        literal("foldMiddle", "64 entries of 16 bits a block: scalar >> 4 → block of `foldLeaves`.",
                words(fold_middle)),
        literal("foldLeaves", "16 entries of 16 bits a block: an offset in `pool`, or a marker.",
                words(fold_leaves)),
        literal("pool", "What scalars fold to: a length, then as many bytes of UTF-8.", bytes(pool.bytes)),
    ]
    size = (len(top) + 2 * len(middle) + len(leaves) + len(fold_top) + 2 * len(fold_middle)
            + 2 * len(fold_leaves) + len(pool.bytes))
    cases = "\n".join(f"  case {camel(name)} = {number}" for number, name in enumerate(WORD_BREAK))
    return size, f"""\
// Generated from the Unicode Character Database {database.version}. Do not edit; write it anew with
//   Tests/Generators/generate-unicode-tables.py

/// The values of the property Word_Break (UAX #29).
package enum WordBreakProperty: UInt8, Sendable {{
{cases}
}}

/// The tables as text, six bits a character counted from "0", line ends between. String literals are bytes of
/// the binary and compile at once; array literals of this size take seconds.
enum UnicodeTablesData {{
  /// The version of Unicode that the tables describe.
  static let version = "{database.version}"

{chr(10).join(sections)}}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--ucd", type=Path, default=Path("/usr/share/unicode"), metavar="DIR")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    size, text = generate(Database(arguments.ucd))
    if arguments.check:
        if not OUTPUT.exists() or OUTPUT.read_text(encoding="utf-8") != text:
            sys.exit(f"{OUTPUT.relative_to(ROOT)} is not what the generator writes")
        print(f"{OUTPUT.relative_to(ROOT)} is what the generator writes")
    else:
        OUTPUT.write_text(text, encoding="utf-8")
        print(f"{OUTPUT.relative_to(ROOT)}: {size} bytes of tables")


if __name__ == "__main__":
    main()
