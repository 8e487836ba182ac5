internal import Formats
internal import Media

/// Reads the text of a Word file, version 6 to 2003 ([MS-DOC]): headers first, then the body, boxes, notes and footers.
struct WordFileReader {
    private let stream: Bytes
    private let header: WordFileHeader
    private let pieces: WordPieces
    private let properties: WordProperties
    private let headerPlaces: [Int]
    private var stories = Stories()
    private var characterCount = 0

    /// - Throws: `corrupt`, `encrypted`, `tooLarge`.
    static func text(of source: BoundedSource, _ characters: CodePages) throws(Failure) -> DocumentText {
        guard let file = try CompoundFile(source), let stream = try file.stream("WordDocument", limit: mostBytes) else {
            throw Failure(.corrupt, detail: "the stream WordDocument is missing")
        }
        var reader = try WordFileReader(file, stream)
        return try reader.text()
    }

    private static let mostBytes = 64 << 20

    /// The maximum number of characters examined, over all parts: pieces may name the same bytes repeatedly.
    private static let mostCharacters = 64 << 20

    private init(_ file: CompoundFile, _ stream: Bytes) throws(Failure) {
        guard let header = WordFileHeader(stream) else { throw Failure(.corrupt, detail: "not a Word file header") }
        if header.isEncrypted { throw Failure(.encrypted) }
        self.stream = stream
        self.header = header
        let table: Bytes
        if header.isOld {
            table = stream
        } else {
            guard let read = try file.stream(header.tableName, limit: Self.mostBytes) else {
                throw Failure(.corrupt, detail: "the stream \(header.tableName) is missing")
            }
            table = read
        }
        if let place = header.pieces {
            guard let bytes = table.part(at: place.offset, count: place.count) else {
                throw Failure(.corrupt, detail: "the piece table is beyond the end of its stream")
            }
            pieces = try WordPieces(bytes, isOld: header.isOld)
        } else if header.isOld {
            pieces = WordPieces(text: header.text)
        } else {
            throw Failure(.corrupt, detail: "the piece table is missing")
        }
        properties = header.isOld ? WordProperties() : WordProperties(header, stream, table)
        headerPlaces =
            header.headerPlaces.flatMap { table.part(at: $0.offset, count: $0.count) }.map { places in
                (0..<min(places.count / 4, 6 * 10_000)).map { Int(places.little(UInt32.self, at: $0 * 4) ?? 0) }
            } ?? []
    }

    private mutating func text() throws(Failure) -> DocumentText {
        let lengths = header.lengths
        var start = 0
        func next(_ length: Int) -> Range<Int> {
            defer { start += length }
            return start..<start + length
        }
        let body = next(lengths.body)
        let footnotes = next(lengths.footnotes)
        let headers = next(lengths.headers)
        _ = next(lengths.comments)
        let endnotes = next(lengths.endnotes)
        let boxes = next(lengths.boxes)
        let headerBoxes = next(lengths.headerBoxes)
        try readHeaders(headers)
        try read(headerBoxes, as: .header)
        try read(body, as: .body)
        try read(boxes, as: .body)
        try read(footnotes, as: .notes)
        try read(endnotes, as: .notes)
        return stories.finished()
    }

    /// Reads the headers and footers of each section. After six note separators follow even and odd headers, even and
    /// odd footers, and the first page's header and footer ([MS-DOC] 2.8.22).
    private mutating func readHeaders(_ range: Range<Int>) throws(Failure) {
        guard headerPlaces.count > 7 else { return }
        for index in 6..<headerPlaces.count - 1 where headerPlaces[index] < headerPlaces[index + 1] {
            let story = headerPlaces[index]..<headerPlaces[index + 1]
            guard story.upperBound <= range.count else { return }
            let isFooter = [2, 3, 5].contains(index % 6)
            try read(
                range.lowerBound + story.lowerBound..<range.lowerBound + story.upperBound,
                as: isFooter ? .footer : .header)
        }
    }

    private mutating func read(_ range: Range<Int>, as place: Stories.Place) throws(Failure) {
        guard !range.isEmpty, !stories.isFull else { return }
        characterCount += range.count
        guard characterCount <= Self.mostCharacters else {
            throw Failure(.tooLarge, detail: "more than \(Self.mostCharacters) characters")
        }
        let isBody = place == .body
        if !isBody { stories.enter(place) }
        var text = WordStory(stories, properties, ignoresFields: hasOpenField(range))
        // One owner at a time: with two, each of many thousand headers would copy the value.
        stories = Stories()
        pieces.characters(in: range, of: stream, .windows1252) { unit, offset in
            text.take(unit, at: offset)
            return !text.stories.isFull
        }
        stories = text.finished()
        if !isBody { stories.leave() }
    }

    /// Whether the code of a field continues to the end of a story. Such a file is damaged, so no field hides anything.
    private func hasOpenField(_ range: Range<Int>) -> Bool {
        var fields = WordFields()
        pieces.characters(in: range, of: stream, .windows1252) { unit, _ in
            fields.take(unit)
            return true
        }
        return fields.isInCode
    }
}

/// The open fields at a place in a text.
struct WordFields {
    /// For each field, whether its code is still open.
    private var open: [Bool] = []

    var isInCode: Bool { open.contains(true) }

    /// Takes a character that begins, separates or ends a field.
    ///
    /// - Returns: whether it is such a character.
    @discardableResult
    mutating func take(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x13: if open.count < 1000 { open.append(true) }
        case 0x14: if !open.isEmpty { open[open.count - 1] = false }
        case 0x15: _ = open.popLast()
        default: return false
        }
        return true
    }
}

/// Converts the characters of a story to paragraphs.
struct WordStory {
    private(set) var stories: Stories
    private let properties: WordProperties
    private let ignoresFields: Bool
    private var fields = WordFields()
    private var units: [UInt16] = []
    private var isAfterCell = false

    init(_ stories: Stories, _ properties: WordProperties, ignoresFields: Bool) {
        self.stories = stories
        self.properties = properties
        self.ignoresFields = ignoresFields
    }

    /// The stories with the written text.
    consuming func finished() -> Stories {
        flush()
        stories.endOpenParagraph()
        return stories
    }

    mutating func take(_ unit: UInt16, at offset: Int) {
        if fields.take(unit) { return }
        switch unit {
        case 0x0D, 0x0C: end(at: offset, isCell: false)
        case 0x07: end(at: offset, isCell: true)
        default:
            guard ignoresFields || !fields.isInCode, !properties.isHidden(at: offset), let shown = Self.shown(unit)
            else {
                return
            }
            units.append(shown)
            isAfterCell = false
            if units.count >= 4096, !UTF16.isLeadSurrogate(shown) { flush() }
        }
    }

    /// The character that a page shows; `nil` for pictures, references and separators.
    private static func shown(_ unit: UInt16) -> UInt16? {
        switch unit {
        case 0x09: unit
        case 0x0B, 0x0E: 0x0A
        case 0x1E: 0x2D
        case 0..<0x20: nil
        default: unit
        }
    }

    private mutating func flush() {
        guard !units.isEmpty else { return }
        stories.write(String(decoding: units, as: UTF16.self))
        units.removeAll(keepingCapacity: true)
    }

    /// Ends a paragraph, a cell or a row, by the properties of its mark.
    private mutating func end(at offset: Int, isCell: Bool) {
        flush()
        var found = properties.paragraph(at: offset) ?? WordProperties.Paragraph()
        if !properties.isKnown {
            // Without properties, a second mark after a cell's mark ends the row.
            found.depth = isCell ? 1 : 0
            found.endsRow = isCell && isAfterCell
        }
        isAfterCell = isCell && !found.endsRow
        stories.paragraph.depth = found.depth
        stories.paragraph.isHeading = found.isHeading
        stories.paragraph.isListItem = found.isListItem
        if found.endsRow, isCell {
            stories.endRow(isNested: false)
        } else if found.endsNestedRow {
            stories.endRow(isNested: true)
        } else if isCell || found.endsNestedCell {
            stories.endCell(isNested: !isCell)
        } else {
            stories.endParagraph()
        }
    }
}
