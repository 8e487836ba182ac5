internal import CLinux

/// Where the programs lie that were installed together: beside the running one or in `../libexec/compass`, never on `PATH`.
public enum Installation {
    /// The folder with a program of this name; `nil` where there is none.
    public static func folder(holding program: String) throws(SystemError) -> String? {
        try candidates().first { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// The folders that are looked into, in their order.
    public static func candidates() throws(SystemError) -> [String] {
        let here = try ownFolder()
        return [here, "\(here)/../libexec/compass"]
    }

    private static func ownFolder() throws(SystemError) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = try checking("readlink /proc/self/exe") {
            buffer.withUnsafeMutableBytes {
                readlink("/proc/self/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
            }
        }
        let path = String(decoding: buffer[..<count], as: UTF8.self)
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
}

extension Installation {
    /// Replaces this process by a program, with these arguments after its name and the environment as it is.
    ///
    /// - Returns: only where that cannot be done, with the reason.
    public static func become(_ program: String, arguments: [String]) -> SystemError {
        var texts: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        execve(program, &texts, clinux_environment())
        let error = SystemError.last("execve \(program)")
        for text in texts { free(text) }
        return error
    }
}
