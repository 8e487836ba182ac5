internal import CLinux

/// The location of programs installed together: beside the running program or in `../libexec/compass`, never on `PATH`.
public enum Installation {
    /// The folder with a program of this name; `nil` if there is none.
    public static func folder(holding program: String) throws(SystemError) -> String? {
        try candidates().first { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// The folders to search, in order.
    public static func candidates() throws(SystemError) -> [String] {
        let here = try ownFolder()
        return [here, "\(here)/../libexec/compass"]
    }

    /// The checkout of this project whose `.build` contains the running program; `nil` if the program was installed or
    /// copied.
    public static func checkout() -> String? {
        guard let parts = try? ownPath().split(separator: "/"), let end = parts.lastIndex(of: ".build") else {
            return nil
        }
        let folder = "/" + parts[..<end].joined(separator: "/")
        return access("\(folder)/Package.swift", F_OK) == 0 ? folder : nil
    }

    private static func ownFolder() throws(SystemError) -> String {
        let path = try ownPath()
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    private static func ownPath() throws(SystemError) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = try checking("readlink /proc/self/exe") {
            buffer.withUnsafeMutableBytes {
                readlink("/proc/self/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
            }
        }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}

extension Installation {
    /// Replaces this process with a program that gets its arguments, byte for byte, and its environment.
    ///
    /// - Returns: the error; on success the function does not return.
    public static func become(_ program: String) -> SystemError {
        let name = strdup(program)
        var texts = [name] + (1..<max(1, Int(CommandLine.argc))).map { CommandLine.unsafeArgv[$0] } + [nil]
        execve(program, &texts, clinux_environment())
        let error = SystemError.last("execve \(program)")
        free(name)
        return error
    }
}
