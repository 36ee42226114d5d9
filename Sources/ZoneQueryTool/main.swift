SystemCalls.ignoreClosedPipes()
SystemCalls.end(Tool.run(Array(CommandLine.arguments.dropFirst()), malformed: SystemCalls.firstMalformedArgument()))
