internal import BenchmarkKit

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

exit(BenchmarkCommand.run(Array(CommandLine.arguments.dropFirst())))
