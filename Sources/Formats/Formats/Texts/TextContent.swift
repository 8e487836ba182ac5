internal import Media

/// What a text is: a few kinds that can be told for certain, else plain text.
///
/// libmagic guesses programming languages, mail and much else from single words, so that a report whose first line reads
/// `From: …` would be a letter and one that begins with a bracket a Pascal program. Its guess counts only where the text
/// bears it out; most text is not even shown to it, which saves the greater part of the time.
struct TextContent {
    /// The text with its markup in ASCII.
    private let text: Bytes
    /// Whether this is all of it.
    private let isWhole: Bool
    /// What libmagic says, asked when it matters.
    private let guess: () -> MediaType

    /// The media type of bytes that are text; `nil` for others.
    ///
    /// - Parameters:
    ///   - isWhole: whether these are all of the file's bytes.
    ///   - guess: asks libmagic.
    static func mediaType(of bytes: Bytes, isWhole: Bool, guess: @escaping () -> MediaType) -> MediaType? {
        guard let encoding = TextEncoding.of(bytes, isWhole: isWhole) else {
            // A page stays a page with a stray control code in it.
            return MarkupOpening(bytes).mediaType
        }
        return TextContent(text: encoding.asciiView(of: bytes), isWhole: isWhole, guess: guess).mediaType
    }

    private var mediaType: MediaType {
        if text.has("#!") { return script }
        if text.has("{\\rtf") { return .rtf }
        return markup ?? letter ?? telling ?? (DelimitedTable.isOne(text, isWhole: isWhole) ? .csv : .plainText)
    }

    /// libmagic's name for the interpreter, where it knows it.
    private var script: MediaType {
        let type = guess()
        return type.rawValue.hasPrefix("text/x-") ? type : MediaType(rawValue: "text/x-shellscript")
    }

    private var markup: MediaType? {
        let opening = MarkupOpening(text)
        guard let type = opening.mediaType else {
            // A page may begin with any tag; libmagic finds a telling one further down.
            return opening.root != nil && guess() == .html ? .html : nil
        }
        guard type == MarkupOpening.xml else { return type }
        // libmagic may know the vocabulary.
        let vocabulary = guess()
        return vocabulary.rawValue.hasSuffix("+xml") && vocabulary != .svg ? vocabulary : type
    }

    private var letter: MediaType? {
        guard MailHeader.isOne(text) else { return nil }
        let type = guess()
        return type.rawValue.hasPrefix("message/") ? type : nil
    }

    /// A format in text whose beginning is its own.
    private var telling: MediaType? {
        guard Self.openings.contains(where: { text.has($0) }) || isBracketed else { return nil }
        let type = guess()
        return Self.types.contains(type.rawValue) ? type : nil
    }

    /// Whether the text begins as JSON does.
    private var isBracketed: Bool {
        var offset = 0
        while let byte = text[offset], ASCII.isSpace(byte) { offset += 1 }
        return text[offset] == UInt8(ascii: "{") || text[offset] == UInt8(ascii: "[")
    }

    private static let openings = [
        "BEGIN:V", "WEBVTT", "-----BEGIN PGP", "#EXTM3U", "/* XPM", "d8:announce", "%FDF-", "SplineFontDB:", "<?php",
    ]

    private static let types: Set<String> = [
        "application/json", "application/x-ndjson", "text/calendar", "text/vcard", "text/x-vcard", "text/vtt",
        "application/pgp", "application/pgp-keys", "application/pgp-signature", "application/pgp-encrypted",
        "audio/x-mpegurl", "application/x-mpegurl", "application/vnd.apple.mpegurl", "image/x-xpixmap", "image/x-xpmi",
        "application/x-bittorrent", "application/vnd.fdf", "application/vnd.font-fontforge-sfd", "text/x-php",
    ]
}

/// A letter as it travels (RFC 5322): a header whose fields a mail program or server wrote.
enum MailHeader {
    /// Whether the text begins with a block of header fields, a mail system's among them and a person's.
    static func isOne(_ text: Bytes) -> Bool {
        let names = Set(fieldNames(text))
        return !names.isDisjoint(with: ["message-id", "received", "return-path", "mime-version"])
            && !names.isDisjoint(with: ["from", "date", "subject", "to"]) && names.count >= 3
    }

    /// The names of the fields before the first line that is none, at most a hundred lines.
    private static func fieldNames(_ text: Bytes) -> [String] {
        var names: [String] = []
        var lines = TextLines(text)
        for _ in 0..<100 {
            guard let line = lines.next(), let first = line[0] else { break }
            // A line that begins with white space goes on with the field before.
            if ASCII.isSpace(first) && !names.isEmpty { continue }
            guard let colon = line.firstOffset(of: ":", in: 1..<min(64, max(1, line.count))),
                let name = line.text(at: 0, count: colon),
                !name.contains(" ")
            else { break }
            names.append(name.lowercased())
        }
        return names
    }
}

/// Lines of a text, without their ends.
struct TextLines {
    private let text: Bytes
    private var offset = 0

    /// Whether the last line that was taken had an end.
    private(set) var isClosed = true

    init(_ text: Bytes) { self.text = text }

    mutating func next() -> Bytes? {
        guard offset < text.count else { return nil }
        let end = text.firstOffset(of: "\n", in: offset..<text.count)
        isClosed = end != nil
        let line = text.part(at: offset, count: (end ?? text.count) - offset)
        offset = (end ?? text.count) + 1
        return line.map { $0[$0.count - 1] == 0x0D ? $0.first($0.count - 1) : $0 }
    }
}
