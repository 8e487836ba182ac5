internal import Media

/// Recognises kinds of text that their content proves; all other text is plain.
///
/// libmagic guesses programming languages, mail and more from single words: a report with the first line `From: …`
/// would be mail, and a report that begins with a bracket a Pascal program. Its guess counts only if the content
/// confirms it. Most texts never reach libmagic, which saves most of the time.
struct TextContent {
    /// The text in an encoding that extends ASCII.
    private let text: Bytes
    /// Whether `text` is the whole file.
    private let isWhole: Bool
    /// Returns libmagic's answer.
    private let guess: () -> MediaType

    /// The media type of a text; `nil` if the bytes are not text.
    ///
    /// - Parameters:
    ///   - isWhole: whether these are all bytes of the file.
    ///   - guess: returns libmagic's answer.
    static func mediaType(of bytes: Bytes, isWhole: Bool, guess: @escaping () -> MediaType) -> MediaType? {
        guard let encoding = TextEncoding.of(bytes, isWhole: isWhole) else {
            // HTML with a stray control code is still HTML to browsers.
            return MarkupOpening(bytes).mediaType
        }
        return TextContent(text: encoding.asciiView(of: bytes), isWhole: isWhole, guess: guess).mediaType
    }

    private var mediaType: MediaType {
        if text.has("#!") { return script }
        if text.has("{\\rtf") { return .rtf }
        return markup ?? mail ?? format ?? (DelimitedTable.isOne(text, isWhole: isWhole) ? .csv : .plainText)
    }

    /// libmagic's name for the interpreter, if it knows it.
    private var script: MediaType {
        let type = guess()
        return type.rawValue.hasPrefix("text/x-") ? type : MediaType(rawValue: "text/x-shellscript")
    }

    private var markup: MediaType? {
        let opening = MarkupOpening(text)
        guard let type = opening.mediaType else {
            // A page may begin with any tag: libmagic looks for HTML tags further down.
            return opening.root != nil && guess() == .html ? .html : nil
        }
        guard type == MarkupOpening.xml else { return type }
        // libmagic knows some vocabularies of XML.
        let vocabulary = guess()
        return vocabulary.rawValue.hasSuffix("+xml") && vocabulary != .svg ? vocabulary : type
    }

    private var mail: MediaType? {
        guard MailHeader.isOne(text) else { return nil }
        let type = guess()
        return type.rawValue.hasPrefix("message/") ? type : nil
    }

    /// The type of a textual format that begins with its own mark.
    private var format: MediaType? {
        guard Self.openings.contains(where: { text.has($0) }) || isBracketed else { return nil }
        let type = guess()
        return Self.types.contains(type.rawValue) ? type : nil
    }

    /// Whether the text begins like JSON.
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
