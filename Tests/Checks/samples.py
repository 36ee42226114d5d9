"""Type-checks every Swift sample of the documentation: of README.md, of the articles and of documentation comments.

    python3 Tests/Checks/samples.py [BUILD-FOLDER]

The build folder has a debug build of the sources as they are. A sample is the body of a function. What it uses and does not
declare is declared before it: by the samples above it in the same article, or as one of the stand-ins below, which is what
a reader takes for granted. Faults are told by the line of the sample.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FEWEST = 95

# Whose samples are for those who work on the package: they use what is not public.
INNER = ("Values/Geodesic.swift",)

# What stands for a name that a sample uses without declaring it.
STAND_INS = {
    "city": 'let city = "Seoul"',
    "configuration": "var configuration = Database.Configuration()",
    "database": "let database = try Database()",
    "conflict": "let conflict = ZoneQueryError.Conflict(serverRecord: record, clientRecord: record)",
    "copies": "var copies: [ZoneID: ZoneCopy] = [:]",
    "date": "let date = Timestamp(milliseconds: 1_704_067_200_000)",
    "exported": "let exported = text",
    "lines": "let lines: [String] = []",
    "name": 'let name = "name"',
    "names": 'let names = ["Seoul"]',
    "predicate": "let predicate = try QueryPredicate(format: \"city = 'Seoul'\")",
    "prepared": 'let prepared = try database.prepare(Query(recordType: "Event", '
    'predicate: try QueryPredicate(format: "city = $city"), sort: [.descending("start")]))',
    "arguments": "var arguments = prepared.arguments()",
    "query": 'let query = Query(recordType: "Event", predicate: predicate, sort: [.descending("start")])',
    "record": 'var record = Record(recordType: "Event", recordName: "keynote")',
    "records": "let records: [Record] = []",
    "request": "let request: (query: [String: String], path: String, body: String) = ([:], \"\", \"\")",
    "schema": "let schema = try Schema(ckdb: text)",
    "text": 'let text = "DEFINE SCHEMA RECORD TYPE Event (name STRING);"',
    "type": 'let type = RecordType("Event", fields: [FieldDefinition("name", .string)])',
    # What a program around them has.
    "fuzzer": "var fuzzer = Fuzzer(seed: 7)",
    "golden": 'let golden = ""',
    "calls": "let calls = Metrics()",
    "failures": "let failures = Metrics()",
    "known": "var known: ChangeToken?",
    "kept": "let kept: String? = nil",
    "local": "var local: [RecordID: Record] = [:]",
    "notes": 'let notes = ZoneID(zoneName: "notes")',
    "trip": 'let trip = ZoneID(zoneName: "Trip")',
    "fetchChanges": "let fetchChanges: (ZoneID) throws -> Void = { _ in }",
    "isRight": "let isRight: (FuzzCase) -> Bool = { _ in true }",
    "log": "let log: @Sendable (ZoneQueryError.Code) -> Void = { _ in }",
    "logger": "let logger = Logger()",
    "push": "let push: @Sendable (String, String) -> Void = { _, _ in }",
    "longest": "var longest = 0",
    "write": "let write: (String) throws -> Void = { _ in }",
    "total": "var total: Int64 = 0",
    "myEngine": "let myEngine = Engine()",
    "observer": "var observer: NotificationObserver?",
    "testCase": "let testCase = FuzzCase(recordType: type, records: [], "
    'predicate: try QueryPredicate(format: "TRUEPREDICATE").root)',
}

# Where a name stands for something else: in files whose path ends so.
OTHERWISE = {
    "Database/QueryArguments.swift": {"city": 'let city = try prepared.parameter("city")'},
    "Database/PreparedQuery+Stopping.swift": {"name": 'let name = try prepared.field("name")'},
    "Generating/PredicateSpeller.swift": {"predicate": "let predicate = try QueryPredicate(format: \"TRUEPREDICATE\").root"},
}

SURROUNDINGS = """\
import Foundation
import PredicateSyntax
import ZoneQuery
import ZoneQueryTesting

struct Logger: Sendable { func notice(_ text: String) {} }
struct Metrics: Sendable {
  func record(_ duration: Duration, label: String) {}
  func count(label: String) {}
}
struct Engine: Sendable { func find(_ format: String, in records: [Record]) throws -> [Record] { records } }
struct Venue { var name: String }
"""


def blocks(path):
    """The Swift samples of a file: the lines before the first of each, and the lines of each."""
    found, lines, start = [], None, 0
    for number, line in enumerate(path.read_text().split("\n"), 1):
        if path.suffix == ".swift":
            comment = re.match(r"\s*/// ?(.*)$", line)
            line = comment.group(1) if comment else None
        if line is None or (lines is not None and line.strip() == "```"):
            if lines is not None:
                found.append((start, lines))
            lines = None
        elif lines is not None:
            lines.append(line)
        elif line.strip() == "```swift":
            lines, start = [], number
    return found


def declared(lines):
    """The names that a sample declares for what comes behind, or for the body of a statement."""
    declaration = r"^(?:(?:if|while|guard) )?(?:let|var|func) (\w+)|^for (\w+)"
    return {name for names in re.findall(declaration, "\n".join(lines), re.M) for name in names if name}


def used(text):
    """The names that a text uses, roughly: no members and no labels."""

    def kept(found):
        """Of a string what is inserted, of a comment nothing."""
        return " ".join(re.findall(r"\\\(((?:[^()]|\([^()]*\))*)\)", found.group(0)))

    text = re.sub(r'"(?:[^"\\\n]|\\\((?:[^()]|\([^()]*\))*\)|\\.)*"|//.*', kept, text)
    return set(re.findall(r"(?<![\w.])([a-z]\w*)\b(?!:)", text))


def stand_ins(text, without, otherwise):
    """The declarations of what a text uses, those that others need before them."""
    lines, known = [], set(without)

    def declare(name):
        if name in known or name not in {**STAND_INS, **otherwise}:
            return
        known.add(name)
        declaration = otherwise.get(name, STAND_INS.get(name))
        for other in sorted(used(declaration.partition("=")[2])):
            declare(other)
        lines.append(declaration)

    for name in sorted(used(text)):
        declare(name)
    return lines


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build").resolve()
    files = [ROOT / "README.md"] + sorted(
        path
        for path in (ROOT / "Sources").rglob("*")
        if path.suffix in (".swift", ".md") and not str(path).endswith(INNER)
    )
    program, count = [SURROUNDINGS], 0
    for path in files:
        place = str(path.relative_to(ROOT))
        otherwise = next((names for end, names in OTHERWISE.items() if place.endswith(end)), {})
        above = []
        for start, lines in blocks(path):
            if any(line.startswith(".package(") or line.startswith(".product(") for line in lines):
                continue  # of a manifest
            count += 1
            code = [re.sub(r"^import .*", "", line) for line in lines]
            # Of an article the samples above, as far as they declare what is used here and not declared again.
            own = declared(code)
            context, wanted = [], used("\n".join(code)) - own
            for earlier in reversed(above):
                if declared(earlier) & wanted and not declared(earlier) & own:
                    context = earlier + context
                    own |= declared(earlier)
                    wanted |= used("\n".join(earlier)) - own
            text = "\n".join(context + code)
            program.append(f"func sample{count}() async throws {{")
            program += stand_ins(text, own, otherwise) + context
            program.append(f'#sourceLocation(file: "{place}", line: {start + 1})')
            program += code
            program += ["#sourceLocation()", "}"]
            if path.suffix == ".md":
                above.append(code)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "samples.swift"
        source.write_text("\n".join(program) + "\n")
        modules = build / "debug"
        command = ["swiftc", "-typecheck", "-swift-version", "6", "-suppress-warnings", "-I", str(modules / "Modules")]
        command += ["-Xcc", f"-fmodule-map-file={modules / 'CPrefetch.build' / 'module.modulemap'}", str(source)]
        status = subprocess.run(command, cwd=ROOT).returncode
    print(f"{count} samples type-checked" if status == 0 else f"{count} samples do not all type-check by {modules}")
    if count < FEWEST:
        sys.exit(f"fewer than {FEWEST} samples")
    sys.exit(status)


main()
