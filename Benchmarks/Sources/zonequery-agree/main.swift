internal import BenchmarkKit

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

exit(AgreementCommand.run(Array(CommandLine.arguments.dropFirst())))
