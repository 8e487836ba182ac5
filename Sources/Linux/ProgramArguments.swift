internal import CLinux

/// The arguments that this program was started with, its name first.
public enum ProgramArguments {
    /// As `CommandLine.arguments`, which looks for them in the list of all mappings of the process: with many libraries
    /// that takes a quarter of a millisecond.
    public static var all: [String] {
        guard let arguments = clinux_arguments() else { return CommandLine.arguments }
        return (0..<Int(clinux_argument_count())).map { String(cString: arguments[$0]!) }
    }
}
