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
