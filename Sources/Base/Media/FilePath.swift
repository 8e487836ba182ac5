/// A file's path as the kernel takes it: bytes, which need not be valid UTF-8.
///
/// Converting such a path to `String` and back would change it, perhaps into the path of another file.
public struct FilePath: Hashable, Sendable {
    /// The path's bytes, none of which is 0.
    public let bytes: [UInt8]

    /// A path from bytes, none of which may be 0.
    public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// A path from the text's UTF-8 bytes.
    public init(_ text: String) { bytes = Array(text.utf8) }

    /// The path as text; `nil` if it is not valid UTF-8.
    public var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The path for messages: U+FFFD replaces bytes that are not valid UTF-8, so the text may not name the file.
    public var readable: String { String(decoding: bytes, as: UTF8.self) }

    /// The path on one line, for a terminal or a log. If a character is not printable, the path is quoted for a shell
    /// as GNU ls does: `$'two
    /// lines'`, `$'caf\xe9'`.
    public var shown: String {
        if let text, text.unicodeScalars.allSatisfy(Failure.isPrintable), !text.hasPrefix("$'") { return text }
        return "$'" + escaped + "'"
    }

    /// The last component; the whole path if it has none.
    public var name: FilePath {
        FilePath(bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? bytes)
    }

    /// The name without its extension.
    public var stem: FilePath {
        let name = name.bytes
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return FilePath(name) }
        return FilePath(name[..<dot])
    }

    /// Whether the last byte is a slash.
    public var endsWithSlash: Bool { bytes.last == UInt8(ascii: "/") }

    /// The path of a name in this folder.
    public func appending(_ name: some Sequence<UInt8>) -> FilePath {
        FilePath(bytes + (endsWithSlash || bytes.isEmpty ? [] : [UInt8(ascii: "/")]) + name)
    }

    /// For `--json`: the bytes as hexadecimal digits if they are not valid UTF-8; else `nil`.
    public var hexUnlessText: String? { text == nil ? Hex.string(bytes) : nil }
}

extension FilePath {
    private var escaped: String {
        var out = ""
        var rest = bytes[...]
        while !rest.isEmpty {
            let (scalar, byteCount) = Self.first(of: rest)
            if let scalar, Failure.isPrintable(scalar) {
                if scalar == "\\" || scalar == "'" { out += "\\" }
                out.unicodeScalars.append(scalar)
            } else {
                out += rest.prefix(byteCount).map(Self.escape).joined()
            }
            rest = rest.dropFirst(byteCount)
        }
        return out
    }

    private static func escape(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\n"): "\\n"
        case UInt8(ascii: "\t"): "\\t"
        case UInt8(ascii: "\r"): "\\r"
        default: "\\x" + Hex.string([byte])
        }
    }

    /// The first scalar and its length; `nil` and 1 if the bytes are not valid UTF-8.
    static func first(of bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar?, byteCount: Int) {
        for byteCount in 1...4 where byteCount <= bytes.count {
            if let text = String(validating: bytes.prefix(byteCount), as: UTF8.self) {
                return (text.unicodeScalars.first, byteCount)
            }
        }
        return (nil, 1)
    }
}

// Text that encodes any bytes, for the argument parser, which takes only `String`.
extension FilePath {
    /// The private-use scalars U+10FF80 to U+10FFFF encode the bytes 0x80 to 0xFF that are not valid UTF-8. If a path
    /// itself contains such a scalar, each of its bytes is encoded: every text encodes only one path.
    private static let marks: ClosedRange<UInt32> = 0x10_FF80...0x10_FFFF

    /// The path from a text that `carrier` made.
    public init(carrier: String) {
        guard carrier.utf8.contains(0xF4) else {
            self.init(carrier)
            return
        }
        var bytes: [UInt8] = []
        for scalar in carrier.unicodeScalars {
            if Self.marks.contains(scalar.value) {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                bytes += Array(String(scalar).utf8)
            }
        }
        self.init(bytes)
    }

    /// The bytes as a text that `init(carrier:)` converts back.
    public var carrier: String {
        if let text, !bytes.contains(0xF4) { return text }
        var out = String.UnicodeScalarView()
        var rest = bytes[...]
        while !rest.isEmpty {
            let (scalar, byteCount) = Self.first(of: rest)
            if let scalar, !Self.marks.contains(scalar.value) {
                out.append(scalar)
            } else {
                out.append(contentsOf: rest.prefix(byteCount).map { Unicode.Scalar(0x10_FF00 + UInt32($0))! })
            }
            rest = rest.dropFirst(byteCount)
        }
        return String(out)
    }
}
