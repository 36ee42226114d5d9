// swift-tools-version: 6.3

import PackageDescription

// Strict memory safety is left off: most of this package talks to C (SQLite, clocks, the heap's counters).
let settings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "zonequery-bench", targets: ["zonequery-bench"]),
    .executable(name: "zonequery-agree", targets: ["zonequery-agree"]),
  ],
  dependencies: [
    .package(name: "ZoneQuery", path: "..")
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .target(name: "CProbes"),
    .target(
      name: "BenchmarkKit",
      dependencies: [
        "CSQLite", "CProbes", .product(name: "ZoneQuery", package: "ZoneQuery"),
        .product(name: "ZoneQueryTesting", package: "ZoneQuery"),
      ],
      swiftSettings: settings),
    .executableTarget(name: "zonequery-bench", dependencies: ["BenchmarkKit"], swiftSettings: settings),
    .executableTarget(name: "zonequery-agree", dependencies: ["BenchmarkKit"], swiftSettings: settings),
    .testTarget(
      name: "BenchmarkKitTests",
      dependencies: [
        "BenchmarkKit", .product(name: "ZoneQuery", package: "ZoneQuery"),
        .product(name: "ZoneQueryTesting", package: "ZoneQuery"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
