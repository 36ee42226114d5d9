// swift-tools-version: 6.3

import PackageDescription

// Fuzzers need settings that a package others depend on may not have, so they have a package of their own. Its
// executables link only with -sanitize=fuzzer; see ./run.
let targets = [
  "Predicate", "Arguments", "Schema", "RecordJSON", "RequestJSON", "Cursor", "ChangeToken", "Structured",
]

let package = Package(
  name: "ZoneQueryFuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ZoneQuery", path: "../..")],
  targets: [
    .target(name: "FuzzDriver", dependencies: [.product(name: "ZoneQueryTesting", package: "ZoneQuery")])
  ]
    + targets.map { name in
      .executableTarget(name: "Fuzz\(name)", dependencies: ["FuzzDriver"])
    },
  swiftLanguageModes: [.v6]
)
