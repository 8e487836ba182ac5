internal import CLinux
internal import Linux

/// The resident memory of processes, as reported by `/proc`.
public enum ProcessMemory {
    /// The resident bytes of this process.
    public static var own: UInt64 { residentByteCount(of: "self") }

    /// The resident bytes of all descendants of this process; a shared page counts for each of them.
    public static var descendants: UInt64 { descendants(of: "\(getpid())") }

    private static func descendants(of process: String) -> UInt64 {
        var total: UInt64 = 0
        for thread in (try? FolderNames.texts(in: "/proc/\(process)/task")) ?? [] {
            for child in text(of: "/proc/\(process)/task/\(thread)/children").split(separator: " ") {
                total += residentByteCount(of: String(child)) + descendants(of: String(child))
            }
        }
        return total
    }

    private static func residentByteCount(of process: String) -> UInt64 {
        let pages = text(of: "/proc/\(process)/statm").split(separator: " ").dropFirst().first.flatMap { UInt64($0) }
        return (pages ?? 0) * UInt64(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func text(of path: String) -> String {
        guard let file = try? Descriptor.open(path, O_RDONLY), let bytes = try? file.readAll(limit: 1 << 16) else {
            return ""
        }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
