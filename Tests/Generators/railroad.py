#!/usr/bin/env python3
"""Draws the productions of an EBNF file as railroad diagrams in SVG.

    railroad.py                              draws the grammar of predicates for its documentation
    railroad.py GRAMMAR.ebnf FOLDER          draws another, one SVG for each of its parts
    railroad.py --check [GRAMMAR.ebnf FOLDER]    writes nothing; fails unless the files are what would be written

A part begins with a comment of the form (* ==== Name ==== *); a grammar without parts gives one file, named after it.
Needs nothing but Python 3. The colours follow the reader's light or dark scheme.
"""

import os
import re
import sys

FONT = 7.25  # the width of a character of the monospaced font at its size
ROW = 22  # the height of a box
GAP = 8  # between boxes that stand one above the other
RUN = 10  # the least length of a line between boxes
ARC = 8  # the radius of a bend
WIDE = 560  # a box of many words is broken into rows no wider than this


ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OWN = [
    os.path.join(ROOT, "Grammar/PredicateFormat.ebnf"),
    os.path.join(ROOT, "Sources/PredicateSyntax/PredicateSyntax.docc/Resources"),
]


# Reading


class Reader:
    """The notation of ISO/IEC 14977: name = a, "b" | [ c ], { d }, ( e ), ? f ? - g ;"""

    token = re.compile(r'\s+|(?P<text>"[^"]*"|\'[^\']*\')|(?P<special>\?[^?]*\?)|(?P<name>[A-Za-z][A-Za-z0-9-]*)'
                       r'|(?P<sign>[=;,|()\[\]{}-])')

    def __init__(self, text, path):
        self.path = path
        self.tokens = []
        self.index = 0
        position = 0
        while position < len(text):
            if text.startswith("(*", position):
                end = self.comment_end(text, position)
                heading = re.fullmatch(r"\(\*\s*=+\s*([^=]*?)\s*=+\s*\*\)", text[position:end], re.S)
                if heading:
                    self.tokens.append(("part", heading.group(1)))
                position = end
                continue
            match = self.token.match(text, position)
            if not match:
                sys.exit(f"{path}: unreadable: {text[position:position + 30]!r}")
            if match.lastgroup:
                self.tokens.append((match.lastgroup, match.group(match.lastgroup)))
            position = match.end()

    def comment_end(self, text, start):
        depth, position = 0, start
        while position < len(text):
            if text.startswith("(*", position):
                depth, position = depth + 1, position + 2
            elif text.startswith("*)", position):
                depth, position = depth - 1, position + 2
                if depth == 0:
                    return position
            else:
                position += 1
        sys.exit(f"{self.path}: a comment is not closed")

    def peek(self, value):
        return self.index < len(self.tokens) and self.tokens[self.index] == ("sign", value)

    def take(self, value):
        if not self.peek(value):
            sys.exit(f"{self.path}: {value} is missing before {self.tokens[self.index:self.index + 1]}")
        self.index += 1

    def parts(self):
        """A list of (part, [(name, body)])."""
        parts = []
        while self.index < len(self.tokens):
            kind, value = self.tokens[self.index]
            self.index += 1
            if kind == "part":
                parts.append((value, []))
                continue
            if not parts:
                parts.append((os.path.splitext(os.path.basename(self.path))[0], []))
            self.take("=")
            body = self.choice()
            self.take(";")
            parts[-1][1].append((value, body))
        return [part for part in parts if part[1]]

    def choice(self):
        items = [self.sequence()]
        while self.peek("|"):
            self.index += 1
            items.append(self.sequence())
        return items[0] if len(items) == 1 else ("choice", items)

    def sequence(self):
        items = [self.item()]
        while self.peek(","):
            self.index += 1
            items.append(self.item())
        return items[0] if len(items) == 1 else ("sequence", items)

    def item(self):
        inner = self.primary()
        if self.peek("-"):
            self.index += 1
            return ("except", inner, self.primary())
        return inner

    def primary(self):
        kind, value = self.tokens[self.index]
        self.index += 1
        if kind == "text":
            return ("terminal", value[1:-1])
        if kind == "special":
            return ("special", value[1:-1].strip())
        if kind == "name":
            return ("name", value)
        closer = {"(": ")", "[": "]", "{": "}"}.get(value)
        if not closer:
            sys.exit(f"{self.path}: {value} is not expected")
        inner = self.choice()
        self.take(closer)
        return {"(": inner, "[": ("option", inner), "{": ("repetition", inner)}[value]


# Drawing: each figure knows its width, how far it reaches above and below its line, and draws itself from (x, y).


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Box:
    def __init__(self, text, kind):
        self.text, self.kind = text, kind
        self.width = len(text) * FONT + 18
        self.up = self.down = ROW / 2

    def draw(self, out, x, y):
        radius = f' rx="{number(ROW / 2)}"' if self.kind == "t" else ""
        out.append(f'<rect class="{self.kind}" x="{number(x)}" y="{number(y - ROW / 2)}"'
                   f' width="{number(self.width)}" height="{ROW}"{radius}/>')
        out.append(f'<text class="{self.kind}" x="{number(x + self.width / 2)}" y="{number(y + 4)}">'
                   f"{escape(self.text)}</text>")


class Words:
    """One of many words, in one box of several rows."""

    def __init__(self, words):
        self.rows = [[]]
        for word in words:
            length = sum(len(other) + 2 for other in self.rows[-1]) + len(word)
            if self.rows[-1] and length * FONT > WIDE:
                self.rows.append([])
            self.rows[-1].append(word)
        # An ordinary blank would be merged with the next one.
        self.lines = ["\u00a0\u00a0".join(row) for row in self.rows]
        self.width = max(len(line) for line in self.lines) * FONT + 24
        self.up = ROW / 2
        self.down = ROW / 2 + (len(self.lines) - 1) * 18

    def draw(self, out, x, y):
        out.append(f'<rect class="t" x="{number(x)}" y="{number(y - ROW / 2)}" width="{number(self.width)}"'
                   f' height="{number(self.up + self.down)}" rx="{number(ROW / 2)}"/>')
        for row, line in enumerate(self.lines):
            out.append(f'<text class="t" x="{number(x + self.width / 2)}" y="{number(y + 4 + row * 18)}">'
                       f"{escape(line)}</text>")


class Sequence:
    def __init__(self, items):
        self.items = items
        self.width = sum(item.width for item in items) + RUN * (len(items) - 1)
        self.up = max(item.up for item in items)
        self.down = max(item.down for item in items)

    def draw(self, out, x, y):
        for index, item in enumerate(self.items):
            if index:
                line(out, x, y, x + RUN)
                x += RUN
            item.draw(out, x, y)
            x += item.width


class Choice:
    """The first item on the line, the others below it; `None` is the line alone."""

    def __init__(self, items):
        self.items = items
        self.inner = max(item.width if item else RUN for item in items)
        self.width = self.inner + 4 * ARC
        self.up = items[0].up if items[0] else 0
        self.offsets = [0]
        for before, item in zip(items, items[1:]):
            step = (before.down if before else 0) + GAP + (item.up if item else 0)
            self.offsets.append(self.offsets[-1] + max(step, 2 * ARC))
        last = items[-1]
        self.down = self.offsets[-1] + (last.down if last else 0)

    def draw(self, out, x, y):
        for item, offset in zip(self.items, self.offsets):
            start, end = x + 2 * ARC, x + 2 * ARC + self.inner
            level = y + offset
            if offset:
                out.append(f'<path d="M{number(x)} {number(y)}q{ARC} 0 {ARC} {ARC}V{number(level - ARC)}'
                           f'q0 {ARC} {ARC} {ARC}"/>')
                out.append(f'<path d="M{number(end)} {number(level)}q{ARC} 0 {ARC} -{ARC}V{number(y + ARC)}'
                           f'q0 -{ARC} {ARC} -{ARC}"/>')
            else:
                line(out, x, y, start)
                line(out, end, y, end + 2 * ARC)
            if item:
                item.draw(out, start, level)
                line(out, start + item.width, level, end)
            else:
                line(out, start, level, end)


class Loop:
    """An item, and below it the way back, with what separates one from the next on it."""

    def __init__(self, item, separator):
        self.item, self.separator = item, separator
        self.inner = max(item.width, separator.width if separator else 0)
        self.width = self.inner + 2 * ARC + 2 * RUN
        self.up = item.up
        self.drop = max(item.down + GAP + (separator.up if separator else 4), 2 * ARC)
        self.down = self.drop + (separator.down if separator else 0)

    def draw(self, out, x, y):
        start = x + ARC + RUN
        line(out, x, y, start)
        self.item.draw(out, start, y)
        line(out, start + self.item.width, y, x + self.width)
        level = y + self.drop
        left, right = x + RUN, x + RUN + 2 * ARC + self.inner
        out.append(f'<path d="M{number(right - ARC)} {number(y)}q{ARC} 0 {ARC} {ARC}V{number(level - ARC)}'
                   f'q0 {ARC} -{ARC} {ARC}"/>')
        out.append(f'<path d="M{number(left + ARC)} {number(y)}q-{ARC} 0 -{ARC} {ARC}V{number(level - ARC)}'
                   f'q0 {ARC} {ARC} {ARC}"/>')
        end = right - ARC
        if self.separator:
            place = left + ARC + (self.inner - self.separator.width) / 2
            line(out, left + ARC, level, place)
            self.separator.draw(out, place, level)
            line(out, place + self.separator.width, level, end)
        else:
            line(out, left + ARC, level, end)
            middle = (left + end) / 2 + 4
            out.append(f'<path class="a" d="M{number(middle)} {number(level - 4)}l-6 4 6 4z"/>')


def line(out, start, y, end):
    if end - start > 0.05:
        out.append(f'<path d="M{number(start)} {number(y)}H{number(end)}"/>')


def figure(node):
    kind = node[0]
    if kind == "terminal":
        return Box(node[1], "t")
    if kind == "name":
        return Box(node[1], "n")
    if kind == "special":
        return Box(node[1], "s")
    if kind == "except":
        return Sequence([figure(node[1]), Box("but not", "s"), figure(node[2])])
    if kind == "option":
        return Choice([None, figure(node[1])])
    if kind == "repetition":
        return Choice([None, Loop(figure(node[1]), None)])
    if kind == "choice":
        items = node[1]
        words = [item[1] for item in items if item[0] == "terminal"]
        if len(words) < 5:
            return Choice([figure(item) for item in items])
        others = [figure(item) for item in items if item[0] != "terminal"]
        return Choice([Words(words)] + others) if others else Words(words)
    items, figures, index = node[1], [], 0
    while index < len(items):
        following = items[index + 1] if index + 1 < len(items) else None
        loop = following[1] if following and following[0] == "repetition" else None
        if loop == items[index]:
            figures.append(Loop(figure(items[index]), None))
            index += 2
        elif loop and loop[0] == "sequence" and loop[1][-1] == items[index]:
            separators = [figure(item) for item in loop[1][:-1]]
            figures.append(Loop(figure(items[index]), Sequence(separators)))
            index += 2
        else:
            figures.append(figure(items[index]))
            index += 1
    return Sequence(figures)


STYLE = """path,rect{fill:none;stroke:#57606a;stroke-width:1.3}
rect.t{fill:#ddf4ff;stroke:#0969da}rect.n{fill:#f6f8fa}rect.s{fill:none;stroke-dasharray:3 2}
path.a{fill:#57606a;stroke:none}circle{fill:#57606a}
text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#1f2328;text-anchor:middle}
text.h{font-weight:bold;text-anchor:start}text.s{font-style:italic}
@media (prefers-color-scheme:dark){path,rect{stroke:#8b949e}rect.t{fill:#0c2d4a;stroke:#4493f8}
rect.n{fill:#21262d}path.a,circle{fill:#8b949e}text{fill:#e6edf3}}"""


def drawing(title, productions):
    out, y, width = [], 8, 0
    for name, body in productions:
        shape = figure(body)
        y += 14
        out.append(f'<text class="h" x="8" y="{number(y)}">{escape(name)}</text>')
        y += 10 + shape.up
        out.append(f'<circle cx="12" cy="{number(y)}" r="3.5"/>')
        line(out, 12, y, 32)
        shape.draw(out, 32, y)
        end = 32 + shape.width
        line(out, end, y, end + 20)
        out.append(f'<circle cx="{number(end + 20)}" cy="{number(y)}" r="3.5"/>')
        width = max(width, end + 32, len(name) * FONT + 24)
        y += shape.down + 18
    size = f"{number(width)} {number(y)}"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" width="{number(width)}"'
            f' height="{number(y)}" role="img">\n<title>{escape(title)}</title>\n<style>{STYLE}</style>\n'
            + "\n".join(out) + "\n</svg>\n")


def main(arguments):
    check = "--check" in arguments
    arguments = [argument for argument in arguments if argument != "--check"]
    if len(arguments) not in (0, 2):
        sys.exit(__doc__)
    path, folder = arguments or OWN
    with open(path, encoding="utf-8") as file:
        parts = Reader(file.read(), path).parts()
    stem = os.path.splitext(os.path.basename(path))[0]
    status = 0
    for title, productions in parts:
        name = stem if title == stem else f"{stem}-{title}"
        target = os.path.join(folder, name + ".svg")
        text = drawing(title, productions)
        if check:
            try:
                with open(target, encoding="utf-8", newline="") as file:
                    found = file.read()
            except OSError:
                found = None
            if found != text:
                print(f"{target} is not what {path} gives; run railroad.py", file=sys.stderr)
                status = 1
        else:
            with open(target, "w", encoding="utf-8", newline="") as file:
                file.write(text)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
