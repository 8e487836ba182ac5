internal import CLinux

/// What `gethostname` calls this machine, made fit for paths.
public enum MachineName {
    /// The host's name as one part of a path: at most 64 letters, digits, `-`, `_` and `.`; others become `_`.
    public static var current: String {
        let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer -> String in
            buffer.initialize(repeating: 0)
            // A truncated name has no terminator; the last zero serves as one.
            _ = gethostname(buffer.baseAddress!, buffer.count - 1)
            return String(cString: buffer.baseAddress!)
        }
        let kept = name.utf8.prefix(64).map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                byte
            default: UInt8(ascii: "_")
            }
        }
        let text = String(decoding: kept, as: UTF8.self)
        return text.isEmpty || text.hasPrefix(".") ? "machine" : text
    }
}
