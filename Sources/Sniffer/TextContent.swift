internal import Media

/// What a text is: a few kinds that can be told for certain, else plain text.
///
/// libmagic guesses programming languages, mail and much else from single words, so that a report whose first line reads
/// `From: …` would be a letter and one that begins with a bracket a Pascal program. Such guesses count only where the
/// text bears them out.
enum TextContent {
    /// `nil` where the bytes are no text.
    ///
    /// - Parameters:
    ///   - isWhole: whether these are all of the file's bytes.
    ///   - guess: what libmagic says.
    static func mediaType(of bytes: Bytes, isWhole: Bool, guess: MediaType) -> MediaType? {
        guard let encoding = TextEncoding.of(bytes, isWhole: isWhole) else {
            // A page stays a page with a stray control code in it.
            return MarkupOpening(bytes).mediaType
        }
        let text = encoding.asciiView(of: bytes)
        if text.has("#!") { return script(guess) }
        if text.has("{\\rtf") { return .rtf }
        return markup(text, guess) ?? strongGuess(guess, text)
            ?? (DelimitedTable.isOne(text, isWhole) ? .csv : .plainText)
    }

    /// libmagic's name for the interpreter, where it knows it.
    private static func script(_ guess: MediaType) -> MediaType {
        guess.rawValue.hasPrefix("text/x-") ? guess : MediaType(rawValue: "text/x-shellscript")
    }

    private static func markup(_ text: Bytes, _ guess: MediaType) -> MediaType? {
        let opening = MarkupOpening(text)
        if let type = opening.mediaType {
            // libmagic may know the vocabulary.
            return type.rawValue == "text/xml" && guess.rawValue.hasSuffix("+xml") && guess != .svg ? guess : type
        }
        // A page may begin with any tag; libmagic has found a telling one further down.
        return opening.root != nil && guess == .html ? .html : nil
    }

    private static func strongGuess(_ guess: MediaType, _ text: Bytes) -> MediaType? {
        if guess.rawValue.hasPrefix("message/") { return MailHeader.isOne(text) ? guess : nil }
        if guess.rawValue == "text/x-php" { return text.has("<?php") ? guess : nil }
        return telling.contains(guess.rawValue) ? guess : nil
    }

    /// Text formats that libmagic tells by a signature at the very start, or by parsing.
    private static let telling: Set<String> = [
        "application/json", "application/x-ndjson", "text/calendar", "text/vcard", "text/x-vcard", "text/vtt",
        "application/pgp", "application/pgp-keys", "application/pgp-signature", "application/pgp-encrypted",
        "image/x-xpixmap", "image/x-xpmi", "application/x-bittorrent", "application/vnd.fdf", "font/x-sfd",
        "application/x-subrip", "audio/x-mpegurl", "application/x-mpegurl", "application/vnd.apple.mpegurl",
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
