public import Media

/// A document's text as the child writes it to the task's memory.
extension DocumentText: WireMessage {
    /// The text as one message, cut to the bounds of `DocumentText`.
    public var bytes: [UInt8] {
        var writer = WireWriter.versioned()
        let kept = keptParagraphs
        writer.write(isCut || kept.count < paragraphs.count)
        writer.write(UInt32(kept.count))
        for paragraph in kept { writer.write(paragraph) }
        return writer.bytes
    }

    /// Parses text from a process that read hostile bytes: counts and numbers are bounded, and of unprintable
    /// characters only line breaks and tabs remain.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = try WireReader(versioned: bytes)
        self.init(isCut: try reader.bool())
        let count = Int(try reader.integer(UInt32.self))
        guard count <= Self.mostParagraphs else { throw reader.failure("count of paragraphs") }
        var byteCount = 0
        for _ in 0..<count {
            let paragraph = try reader.paragraph()
            byteCount += paragraph.text.utf8.count
            guard byteCount <= Self.longestText else { throw reader.failure("length of paragraphs") }
            paragraphs.append(paragraph)
        }
        try reader.finish()
    }

    /// The paragraphs within bounds.
    private var keptParagraphs: ArraySlice<TextParagraph> {
        var byteCount = 0
        let end = paragraphs.prefix(Self.mostParagraphs).firstIndex { paragraph in
            byteCount += paragraph.text.utf8.count
            return byteCount > Self.longestText
        }
        return paragraphs[..<(end ?? min(paragraphs.count, Self.mostParagraphs))]
    }
}

extension WireWriter {
    fileprivate mutating func write(_ paragraph: TextParagraph) {
        writeLong(paragraph.text)
        write(UInt32(paragraph.page))
        write(paragraph.style.rawValue)
        write(paragraph.cell) { writer, cell in
            for number in [cell.table, cell.row, cell.column] { writer.write(UInt32(number)) }
        }
    }
}

extension WireReader {
    fileprivate mutating func paragraph() throws(WireError) -> TextParagraph {
        let text = Self.printable(try longText(DocumentText.longestText))
        let page = Int(try integer(UInt32.self))
        guard page < DocumentText.mostPages else { throw failure("page") }
        let style = try choice(TextParagraph.Style.self)
        let cell = try optional { reader throws(WireError) in
            let numbers = TextParagraph.Cell(
                table: Int(try reader.integer(UInt32.self)), row: Int(try reader.integer(UInt32.self)),
                column: Int(try reader.integer(UInt32.self)))
            guard let cell = numbers.sound else { throw reader.failure("cell") }
            return cell
        }
        return TextParagraph(text, page: page, style: style, cell: cell)
    }

    /// The text without unprintable characters, except line breaks and tabs.
    private static func printable(_ text: String) -> String {
        func isKept(_ scalar: Unicode.Scalar) -> Bool {
            scalar == "\n" || scalar == "\t" || Failure.isPrintable(scalar)
        }
        if text.unicodeScalars.allSatisfy(isKept) { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter(isKept)))
    }
}
