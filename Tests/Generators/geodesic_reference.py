#!/usr/bin/env python3
"""Reference distances for the geodesic's tests, computed by PyPI's geographiclib.

    pip install geographiclib
    python3 Tests/Generators/geodesic_reference.py pairs 130000 > /tmp/pairs.txt
    ZONEQUERY_GEODESIC_PAIRS=/tmp/pairs.txt swift test --filter Geodesic
    python3 Tests/Generators/geodesic_reference.py table > Tests/ZoneQueryTests/Values/GeodesicReferenceTable.swift

A line is a class and five numbers: latitude and longitude of both points in degrees, the distance in metres.
Both outputs depend on nothing but the seed and the library's version.
"""

import math
import random
import sys

from geographiclib.geodesic import Geodesic

generator = random.Random(20130101)
uniform = generator.uniform


def spread(low, high):
    """A number of either sign whose decimal exponent is uniform in low...high."""
    return generator.choice([-1, 1]) * 10 ** uniform(low, high)


def clamp(latitude):
    return max(-90.0, min(90.0, latitude))


def latitude():
    return math.degrees(math.asin(uniform(-1, 1)))


def longitude():
    return uniform(-180, 180)


def wrapped(value):
    return value - 360 if value > 180 else value + 360 if value < -180 else value


def anywhere():
    return latitude(), longitude(), latitude(), longitude()


def near():
    a, b = latitude(), longitude()
    return a, b, clamp(a + spread(-2, 1)), wrapped(b + spread(-2, 1))


def close():
    a, b = latitude(), longitude()
    return a, b, clamp(a + spread(-12, -2)), wrapped(b + spread(-12, -2))


def antipodal():
    a, b = latitude(), longitude()
    return a, b, 0 - a, wrapped(b + 180)


def nearly_antipodal():
    a, b = uniform(-90, 90), longitude()
    return a, b, clamp(0 - a + spread(-13, 0.3)), wrapped(b + 180 + spread(-13, 0.3))


def cut_locus():
    """Near the ends of the segment of the antipodal parallel that is reached by two shortest ways."""
    a, b = uniform(-60, 60), longitude()
    end = 180 - 180 / 298.257223563 * math.cos(math.radians(a)) * uniform(0.98, 1.02)
    return a, b, clamp(0 - a + generator.choice([0.0, spread(-13, -1)])), wrapped(b + end)


def polar():
    def pole():
        return generator.choice([-1, 1]) * generator.choice([90.0, 90 - 10 ** uniform(-13, 0)])

    other = generator.choice([pole, latitude])
    return pole(), longitude(), other(), longitude()


def meridional():
    b = longitude()
    turn = generator.choice([0, 0, 180, 180, spread(-14, -8), 180 + spread(-13, -8)])
    return latitude(), b, latitude(), wrapped(b + turn)


def equatorial():
    def small():
        return generator.choice([0.0, 0.0, spread(-17, -5)])

    b = longitude()
    turn = generator.choice([uniform(0, 180), 179.3964 + spread(-12, 0.1), 180.0, spread(-14, 0)])
    return small(), b, small(), wrapped(b + max(-180, min(180, turn)))


def antimeridian():
    west = generator.choice([180.0, 180 - 10 ** uniform(-13, 1)])
    east = generator.choice([-180.0, 10 ** uniform(-13, 1) - 180])
    a = latitude()
    return a, west, generator.choice([a, clamp(a + spread(-12, 1)), latitude()]), east


def coincident():
    a, b = latitude(), longitude()
    return generator.choice([
        (a, b, a, b), (a, 180.0, a, -180.0), (90.0, b, 90.0, longitude()), (-90.0, b, -90.0, longitude()),
        (0.0, b, -0.0, b)])


def parallel():
    a, b = uniform(-90, 90), longitude()
    return a, b, generator.choice([-1, 1]) * a, wrapped(b + uniform(-180, 180))


def round_numbers():
    def of(limit):
        return float(generator.choice([15, 30, 45, 1]) * generator.randint(-12, 12)) % limit

    sign = generator.choice
    return (sign([-1, 1]) * of(90.5), sign([-1, 1]) * of(180.5), sign([-1, 1]) * of(90.5), sign([-1, 1]) * of(180.5))


def turned():
    """Longitudes given with whole turns too many."""
    a, b, c, d = anywhere()
    return a, b + 360 * generator.randint(-5, 5), c, d + generator.choice([180.0, 360.0, 540.0, -720.0])


CLASSES = [
    (anywhere, 14), (near, 8), (close, 12), (antipodal, 4), (nearly_antipodal, 16), (cut_locus, 10), (polar, 8),
    (meridional, 6), (equatorial, 8), (antimeridian, 8), (coincident, 1), (parallel, 3), (round_numbers, 1),
    (turned, 1)]

PUBLISHED = [
    # The worked examples of Karney 2013: two inverse problems, and the direct problem read backwards.
    (-30.12345, 0.0, -30.12344, 0.00005, 4.944208),
    (-30.0, 0.0, 29.9, 179.8, 19989832.827610),
    (40.0, 0.0, 41.79331020506, 137.84490004377, 10000000.0),
    # Regression cases of GeographicLib's own tests (GeodSolve4, 6, 9, 10, 11, 33; first row of its test set).
    (36.493349428792, 0.0, 36.49334942879201, 0.0000008, 0.072),
    (88.202499451857, 0.0, -88.202499451857, 179.981022032992859592, 20003898.214),
    (89.262080389218, 0.0, -89.262080389218, 179.992207982775375662, 20003925.854),
    (89.333123580033, 0.0, -89.333123580032997687, 179.99295812360148422, 20003926.881),
    (56.320923501171, 0.0, -56.320923501171, 179.664747671772880215, 19993558.287),
    (52.784459512564, 0.0, -52.784459512563990912, 179.634407464943777557, 19991596.095),
    (48.522876735459, 0.0, -48.52287673545898293, 179.599720456223079643, 19989144.774),
    (0.0, 0.0, 0.0, 179.0, 19926188.852),
    (0.0, 0.0, 0.0, 179.5, 19980861.909),
    (0.0, 0.0, 0.0, 180.0, 20003931.459),
    (0.0, 0.0, 1.0, 180.0, 19893357.070),
    (35.60777, -139.44815, -11.17491, -69.95921, 8935244.5604818305),
    # Flinders Peak to Buninyong, the test line of the Geocentric Datum of Australia (its ellipsoid, GRS 80,
    # differs from WGS 84 by 0.1 mm in the polar radius).
    (-(37 + 57 / 60 + 3.7203 / 3600), 144 + 25 / 60 + 29.5244 / 3600,
     -(37 + 39 / 60 + 10.1561 / 3600), 143 + 55 / 60 + 35.3839 / 3600, 54972.271),
]


def rows(make, count):
    for _ in range(count):
        pair = tuple(value + 0.0 for value in make())
        yield pair, Geodesic.WGS84.Inverse(*pair, Geodesic.DISTANCE)["s12"]


def line(name, pair, distance):
    return " ".join([name, *map(repr, pair), repr(distance)])


def main():
    if sys.argv[1:2] == ["pairs"] and len(sys.argv) == 3:
        total = sum(weight for _, weight in CLASSES)
        for make, weight in CLASSES:
            for pair, distance in rows(make, -(-int(sys.argv[2]) * weight // total)):
                print(line(make.__name__, pair, distance))
    elif sys.argv[1:] == ["table"]:
        print("// Written by Tests/Generators/geodesic_reference.py; do not edit.\n")
        print("/// Distances that others computed: class, latitude and longitude of both points, metres.")
        print("enum GeodesicReferenceTable {")
        print("  /// As printed by their sources, which give from three to ten decimals.")
        print('  static let published = """')
        for *pair, distance in PUBLISHED:
            print("    " + line("published", pair, distance))
        print('    """\n')
        print("  /// Computed by geographiclib.")
        print('  static let computed = """')
        for make, _ in CLASSES:
            for pair, distance in rows(make, 14):
                print("    " + line(make.__name__, pair, distance))
        print('    """')
        print("}")
    else:
        sys.exit(__doc__)


main()
