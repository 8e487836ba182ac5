import CLinux
import Linux
import Media

/// A file that appears whole or not at all: written beside its place, then renamed.
enum OutputFile {
    /// - Throws: `unavailable` naming the path; nothing is left behind.
    static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let temporary = "\(path).\(getpid())-\(Time.wall).part"
        do throws(SystemError) {
            let file = try Descriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
            try file.write(bytes)
            try checking("rename") { rename(temporary, path) }
        } catch {
            unlink(temporary)
            throw Failure(
                .unavailable, message: "\(path) cannot be written: \(error.reason).", detail: "\(error)")
        }
    }
}
