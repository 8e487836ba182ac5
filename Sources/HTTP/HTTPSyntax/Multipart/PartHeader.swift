/// What the header of a form's part says about it (RFC 7578, 4.2).
public struct PartHeader: Hashable, Sendable {
    /// The decoded name of the field; empty if the client sends it empty, as `supabase-js` does for its file.
    public let name: String
    /// The file's name as the client states it, which may be empty and contain anything; `nil` for a field that is not
    /// a file.
    public let fileName: String?
    /// The stated type, which may be wrong; `nil` if it is absent or unreadable.
    public let contentType: ContentType?

    /// Whether the part is a file, whose length the form's limits do not restrict.
    public var isFile: Bool { fileName != nil }

    /// Parses the lines of a header, without their line ends.
    init(lines: [ArraySlice<UInt8>]) throws(MultipartError) {
        var disposition: FieldParameters?
        var contentType: ContentType?
        for line in lines {
            let (name, value) = try Self.field(line)
            switch name {
            case "content-disposition":
                guard disposition == nil else { throw .malformed(detail: "Content-Disposition twice") }
                disposition = try Self.disposition(value)
            case "content-type":
                contentType = ContentType(String(decoding: value, as: UTF8.self))
                if contentType?.essence.hasPrefix("multipart/") == true {
                    throw .unsupportedPart(detail: "a multipart within a form")
                }
            case "content-transfer-encoding":
                let encoding = String(decoding: value, as: UTF8.self).lowercased()
                guard ["7bit", "8bit", "binary"].contains(encoding) else {
                    throw .unsupportedPart(detail: "Content-Transfer-Encoding \(encoding.prefix(40))")
                }
            default: break
            }
        }
        guard let disposition, let name = disposition.bytes(of: "name").map(Self.unescaped) else {
            throw .nameless
        }
        self.name = name
        self.contentType = contentType
        fileName =
            disposition.bytes(of: "filename*").flatMap(Self.extended)
            ?? disposition.bytes(of: "filename").map(Self.unescaped)
    }

    private static func field(_ line: ArraySlice<UInt8>) throws(MultipartError) -> (String, ArraySlice<UInt8>) {
        guard !line.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
            throw .malformed(detail: "a control character in a part's header")
        }
        let name = line.prefix(while: FieldScanner.isTokenByte)
        guard !name.isEmpty, line.dropFirst(name.count).first == UInt8(ascii: ":") else {
            throw .malformed(detail: "a part's header has a line that is not a field")
        }
        var value = line.dropFirst(name.count + 1).drop { $0 == 0x20 || $0 == 0x09 }
        while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        return (String(decoding: name, as: UTF8.self).lowercased(), value)
    }

    private static func disposition(_ value: ArraySlice<UInt8>) throws(MultipartError) -> FieldParameters {
        var scanner = FieldScanner(value)
        guard scanner.token()?.lowercased() == "form-data" else {
            throw .malformed(detail: "a part's disposition is not form-data")
        }
        // Browsers send a backslash unescaped; curl escapes quotes and backslashes with one.
        guard let parameters = FieldParameters(&scanner, isEscaped: { $0 == 0x22 || $0 == 0x5C }), scanner.isAtEnd
        else { throw .malformed(detail: "Content-Disposition cannot be read") }
        return parameters
    }

    /// A quoted name with the three escapes of browsers decoded (HTML, "multipart/form-data encoding algorithm").
    ///
    /// Other percent signs stay, because browsers send them unescaped.
    private static func unescaped(_ quoted: [UInt8]) -> String {
        var bytes: [UInt8] = []
        var place = 0
        while place < quoted.count {
            let isEscape = quoted[place] == UInt8(ascii: "%") && place + 2 < quoted.count
            switch isEscape ? (quoted[place + 1], quoted[place + 2] & ~0x20) : (0, 0) {
            case (0x32, 0x12): bytes.append(UInt8(ascii: "\""))
            case (0x30, 0x44): bytes.append(0x0D)
            case (0x30, 0x41): bytes.append(0x0A)
            default:
                bytes.append(quoted[place])
                place += 1
                continue
            }
            place += 3
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `UTF-8'en'%e2%82%ac` (RFC 8187, 3.2.1); `nil` for other encodings and for errors.
    private static func extended(_ value: [UInt8]) -> String? {
        let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let bytes = PercentEncoding.decode(parts[2])
        switch String(decoding: parts[0], as: UTF8.self).lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1":
            return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }
}
