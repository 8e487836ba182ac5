/// The value of `Content-Disposition` for a file of any name (RFC 6266).
public struct ContentDisposition: Hashable, Sendable {
    /// The field's value: the name in ASCII, and also in UTF-8 as `filename*` if the two differ.
    public let text: String

    /// The browser shows the file, and keeps the name when it saves it.
    public static func inline(_ name: String) -> ContentDisposition { ContentDisposition("inline", name) }

    /// The browser saves the file.
    public static func attachment(_ name: String) -> ContentDisposition { ContentDisposition("attachment", name) }

    private init(_ kind: String, _ name: String) {
        let safe = Self.safeName(name)
        // Browsers decode percent signs in the plain name, although no standard says so.
        let plain = String(
            String.UnicodeScalarView(
                safe.unicodeScalars.map { $0.isASCII && !"\"\\%".unicodeScalars.contains($0) ? $0 : "_" }))
        let extended = PercentEncoding.encode(safe, keeping: "!#$&+-.^_`|~")
        text = "\(kind); filename=\"\(plain)\"" + (plain == safe ? "" : "; filename*=UTF-8''\(extended)")
    }

    /// A name that no system interprets as a path or a hidden file: at most 200 bytes, with the extension kept.
    ///
    /// Separators, control characters and marks that reorder text become underscores.
    static func safeName(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars { scalars.append(isSafe(scalar) ? scalar : "_") }
        while let first = scalars.first, first == "." || first == " " { scalars.removeFirst() }
        while let last = scalars.last, last == "." || last == " " { scalars.removeLast() }
        let safe = String(scalars)
        guard safe.utf8.count > 200 else { return safe.isEmpty ? "file" : safe }
        let ending = safe.lastIndex(of: ".").map { safe[$0...] } ?? ""
        let kept = ending.utf8.count <= 20 ? ending : ""
        var stem = Substring(safe.dropLast(kept.count))
        while stem.utf8.count + kept.utf8.count > 200 {
            // By scalars: one character may be as long as the whole name.
            stem.unicodeScalars.removeLast()
        }
        return String(stem) + kept
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: false
        default: !"/\\:".unicodeScalars.contains(scalar)
        }
    }
}
