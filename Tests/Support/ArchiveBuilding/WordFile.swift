/// A small Word file of version 97 ([MS-DOC]).
package struct WordFile {
    /// A piece of the text.
    package struct Piece {
        package var text: String
        /// Whether it has one byte per character, in Windows-1252.
        package var isNarrow: Bool

        package init(text: String, isNarrow: Bool = false) {
            self.text = text
            self.isNarrow = isNarrow
        }
    }

    package var pieces: [Piece]
    /// The number of characters of each part: body, footnotes, headers, comments, endnotes, boxes; by default all are
    /// in the body.
    package var lengths: [Int] = []
    package var headerPlaces: [Int] = []
    /// The modifiers of the paragraph that ends with the mark at a position in the text, and the number of its style.
    package var paragraphs: [(mark: Int, style: UInt16, modifiers: [UInt8])] = []
    /// The modifiers of the characters in a range of the text.
    package var characters: [(range: Range<Int>, modifiers: [UInt8])] = []
    package var flags: UInt16 = 0

    package init(_ text: String) { pieces = [Piece(text: text)] }

    package static let inTable: [UInt8] = [0x16, 0x24, 1]
    package static let rowEnd: [UInt8] = [0x16, 0x24, 1, 0x17, 0x24, 1]

    private static let textOffset = 0x800
    private static let tableByteCount = 5000

    /// The offset of each character in the stream, and the offset after the last.
    private var offsets: [Int] {
        var offsets: [Int] = []
        var offset = Self.textOffset
        for piece in pieces {
            for _ in piece.text.utf16 {
                offsets.append(offset)
                offset += piece.isNarrow ? 1 : 2
            }
        }
        return offsets + [offset]
    }

    package func bytes() -> [UInt8] {
        var stream = zeros(Self.textOffset)
        for piece in pieces {
            stream += piece.text.utf16.flatMap { piece.isNarrow ? [UInt8($0)] : $0.little }
        }
        stream += zeros(512 - stream.count % 512)
        let offsets = offsets
        var table: [UInt8] = []
        func put(_ value: [UInt8], at offset: Int) {
            stream.replaceSubrange(offset..<offset + value.count, with: value)
        }
        func place(_ content: [UInt8], at offset: Int) {
            put(UInt32(table.count).little + UInt32(content.count).little, at: offset)
            table += content
        }
        put(UInt16(0xA5EC).little + UInt16(0xC1).little, at: 0)
        put(flags.little, at: 0x0A)
        let all = offsets.count - 1
        for (index, length) in (lengths.isEmpty ? [all] : lengths).enumerated() {
            put(UInt32(length).little, at: [0x4C, 0x50, 0x54, 0x5C, 0x60, 0x64][index])
        }
        place(clx(), at: 0x1A2)
        if !headerPlaces.isEmpty { place(headerPlaces.flatMap { UInt32($0).little }, at: 0xF2) }
        var pageNumber = stream.count / 512
        func placePage(_ page: [UInt8], at offset: Int) {
            let limits = UInt32(Self.textOffset).little + UInt32(offsets.last!).little
            place(limits + UInt32(pageNumber).little, at: offset)
            stream += page
            pageNumber += 1
        }
        let marks = paragraphs.map { (offsets[$0.mark]..<offsets[$0.mark + 1], $0.style.little + $0.modifiers) }
        if !paragraphs.isEmpty { placePage(Self.page(marks, entrySize: 13), at: 0x102) }
        let runs = characters.map { (offsets[$0.range.lowerBound]..<offsets[$0.range.upperBound], $0.modifiers) }
        if !characters.isEmpty { placePage(Self.page(runs, entrySize: 1), at: 0xFA) }
        table += zeros(max(0, Self.tableByteCount - table.count))
        return CompoundFileBuilder([.stream("WordDocument", stream), .stream("0Table", table)]).bytes()
    }

    private func clx() -> [UInt8] {
        var limits = UInt32(0).little
        var descriptors: [UInt8] = []
        var (character, offset) = (0, Self.textOffset)
        for piece in pieces {
            let count = piece.text.utf16.count
            character += count
            limits += UInt32(character).little
            let place = piece.isNarrow ? UInt32(offset * 2) | 0x4000_0000 : UInt32(offset)
            descriptors += UInt16(0).little + place.little + UInt16(0).little
            offset += count * (piece.isNarrow ? 1 : 2)
        }
        // A change of properties precedes the table.
        return [1, 2, 0, 0, 0, 2] + UInt32(limits.count + descriptors.count).little + limits + descriptors
    }

    /// A page of properties; runs without properties lie between the given ones.
    private static func page(_ runs: [(range: Range<Int>, bytes: [UInt8])], entrySize: Int) -> [UInt8] {
        var limits: [Int] = []
        var entries: [[UInt8]] = []
        for run in runs {
            if limits.last != run.range.lowerBound {
                if !limits.isEmpty { entries.append([]) }
                limits.append(run.range.lowerBound)
            }
            entries.append(run.bytes)
            limits.append(run.range.upperBound)
        }
        var page = limits.flatMap { UInt32($0).little }
        var end = 510
        var contents = zeros(512)
        for entry in entries {
            guard !entry.isEmpty else {
                page += zeros(entrySize)
                continue
            }
            // For paragraphs, half the length in words including the byte before it; otherwise the length.
            let isOdd = entrySize == 13 && entry.count % 2 == 0
            let content: [UInt8] =
                entrySize == 1
                ? [UInt8(entry.count)] + entry
                : isOdd ? [0, UInt8(entry.count / 2)] + entry : [UInt8(entry.count / 2 + 1)] + entry
            end = (end - content.count) & ~1
            contents.replaceSubrange(end..<end + content.count, with: content)
            page += [UInt8(end / 2)] + zeros(entrySize - 1)
        }
        contents.replaceSubrange(0..<page.count, with: page)
        contents[511] = UInt8(entries.count)
        return contents
    }
}
