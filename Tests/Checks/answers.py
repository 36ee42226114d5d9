#!/usr/bin/env python3
"""Asks zonequery questions about places and compares the answers with an independent computation.

    python3 Tests/Checks/answers.py --tool PATH --folder FOLDER [--seed N] [--rounds N]

FOLDER holds places.ckdb, airports.jsonl and cities.jsonl: records of the types Airport and City, as CloudKit Web
Services writes them. Needs PyPI's geographiclib for distances. Prints the number of answers compared; a difference
ends it with exit status 1.
"""
import argparse, json, random, re, subprocess, sys, unicodedata

STOP = set("a an and are as at be but by for if in into is it no not of on or such that the their then there these they "
           "this to was will with".split())


def load(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            fields = {name: field["value"] for name, field in record["fields"].items()}
            yield {"recordName": record["recordName"], "recordType": record["recordType"], **fields}


def words(text):
    """Words of ASCII and Latin letters: enough for the texts that are searched for here."""
    folded = unicodedata.normalize("NFKD", text).casefold()
    folded = "".join(c for c in folded if not unicodedata.category(c).startswith("M"))
    return {word for word in re.findall(r"[a-z0-9]+", folded)} - STOP


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--tool", required=True)
    arguments.add_argument("--folder", required=True)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--rounds", type=int, default=6)
    options = arguments.parse_args()
    from geographiclib.geodesic import Geodesic

    chance = random.Random(options.seed)
    records = list(load(f"{options.folder}/airports.jsonl")) + list(load(f"{options.folder}/cities.jsonl"))
    by_type = {kind: [r for r in records if r["recordType"] == kind] for kind in ("Airport", "City")}

    def metres(record, place):
        here = record.get("location")
        if here is None:
            return None
        return Geodesic.WGS84.Inverse(here["latitude"], here["longitude"], *place)["s12"]

    compared = 0

    def check(kind, where, values, holds, sort=(), near=None, limit=100000):
        nonlocal compared
        command = [options.tool, "query", "--schema", f"{options.folder}/places.ckdb", "--type", kind,
                   "--records", f"{options.folder}/airports.jsonl", "--records", f"{options.folder}/cities.jsonl",
                   "--limit", str(limit), "--keys", "", "--format", "jsonl"]
        if where:
            command += ["--where", where, "--arguments", json.dumps(values)]
        for key, down in sort:
            command += ["--sort", key + (":desc" if down else ":asc")]
        if near:
            command += ["--near", "location:%r,%r" % near]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{where} {values}: {run.stderr}")
        found = [json.loads(line)["recordName"] for line in run.stdout.splitlines()]
        expected = [r for r in by_type[kind] if holds(r)]
        if near:
            expected.sort(key=lambda r: (float("inf") if metres(r, near) is None else metres(r, near),
                                         r["recordName"].encode()))
        elif sort:
            expected.sort(key=lambda r: r["recordName"].encode())
            for key, down in reversed(sort):
                def value(r):
                    v = r.get(key)
                    return (0, b"") if v is None else (1, v.encode() if isinstance(v, str) else v)
                expected.sort(key=value, reverse=down)
        names = [r["recordName"] for r in expected][:limit]
        same = found == names if (near or sort) else (
            sorted(found) == sorted(names) if len(expected) <= limit else
            len(found) == limit and set(found) <= {r["recordName"] for r in expected})
        if not same:
            sys.exit(f"DIFFERENT: {kind} {where} {values} sort {sort} near {near}: {len(found)} found, "
                     f"{len(names)} expected\n  found {found[:8]}\n  expected {names[:8]}")
        compared += 1

    for number in range(options.rounds):
        city = chance.choice(by_type["City"])
        airport = chance.choice(by_type["Airport"])
        country = city["country"]
        check("City", "country = %@", [country], lambda r: r.get("country") == country, [("population", True)], limit=50)
        key = chance.choice(["country", "timezone", "name"])
        check("City", "%K = %@", [key, city[key]], lambda r: r.get(key) == city[key])
        least = chance.choice([20_000, 100_000, city["population"]])
        check("City", "population > %d AND country IN %@", [least, [country, "JP"]],
              lambda r: r["population"] > least and r["country"] in (country, "JP"), [("name", False)], limit=200)
        prefix = city["name"][:2]
        check("City", "name BEGINSWITH %@", [prefix], lambda r: r["name"].startswith(prefix), [("name", True)])
        alias = chance.choice(city.get("alternateNames", [city["name"]]))
        check("City", "alternateNames CONTAINS %@", [alias], lambda r: alias in r.get("alternateNames", []))
        low, high = sorted([airport.get("elevation", 0.0), chance.uniform(0, 9000)])
        check("Airport", "elevation BETWEEN {%f, %f}", [low, high],
              lambda r: "elevation" in r and low <= r["elevation"] <= high, [("elevation", False), ("icao", True)], limit=77)
        check("Airport", "iata != %@", ["LHR"], lambda r: "iata" in r and r["iata"] != "LHR", [("iata", False)], limit=40)
        check("Airport", "NOT (country = %@)", [airport["country"]],
              lambda r: "country" in r and r["country"] != airport["country"], limit=10)
        place = (airport["location"]["latitude"], airport["location"]["longitude"])
        radius = chance.choice([5_000, 80_000, 400_000])
        if number == 0:  # The reference's own distances take their time.
            check("Airport", "distanceToLocation:fromLocation:(location, %@) < %d",
                  [{"value": {"latitude": place[0], "longitude": place[1]}, "type": "LOCATION"}, radius],
                  lambda r: metres(r, place) is not None and metres(r, place) < radius)
            check("City", "", [], lambda r: True, near=place, limit=25)
        asked = [w for w in words(airport["name"]) if w not in ("airport",)][:2]
        if asked:
            text = " ".join(asked)
            have = lambda r: words(r.get("name", "") + " " + r.get("city", ""))
            check("Airport", "ALL tokenize(%@, 'Cdl') IN allTokens", [text], lambda r: set(asked) <= have(r))
            check("Airport", "self CONTAINS %@ AND country = %@", [text, airport["country"]],
                  lambda r: bool(set(asked) & have(r)) and r["country"] == airport["country"])
    print(f"answers compared: {compared}")


main()
