package import ArgumentParser
internal import Media

extension ParsableCommand {
    /// Ends the program: a `Failure` as one line with its exit status, a parser's complaint as the parser words it.
    package static func leave(with error: any Error) -> Never {
        if let failure = error as? Failure {
            StandardError.write("compass: \(failure.line)\n")
            Process.exit(failure.exitStatus)
        }
        if let status = error as? ExitCode {
            Process.exit(status.rawValue)
        }
        let status = exitCode(for: error)
        let text = fullMessage(for: error)
        if status == .success {
            StandardOutput.write(text + "\n")
            Process.exit(0)
        }
        StandardError.write(Printable.complaint(text, about: Process.arguments) + "\n")
        // The parser's own code for a bad call is sysexits' 64; ours is 2, as most programs have it.
        Process.exit(status == .validationFailure ? 2 : status.rawValue)
    }
}
