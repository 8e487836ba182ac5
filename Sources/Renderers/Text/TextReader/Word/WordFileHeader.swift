internal import Formats
internal import Media

/// The header of a Word file, the File Information Block ([MS-DOC] 2.5), as far as it is needed to find the text.
struct WordFileHeader {
    /// The place of a structure in the table stream.
    struct Place {
        let offset: Int
        let count: Int
    }

    /// The lengths of the document's parts, in characters, in the order of the parts.
    struct Lengths {
        var body = 0
        var footnotes = 0
        var headers = 0
        var comments = 0
        var endnotes = 0
        var boxes = 0
        var headerBoxes = 0
    }

    /// Whether the file is from Word 6 or 95: its structures lie in the document's own stream, and its text has one
    /// byte per character.
    let isOld: Bool
    let isEncrypted: Bool
    let tableName: String
    let lengths: Lengths
    /// The pieces of the text; `nil` in old files whose text was saved in one piece.
    let pieces: Place?
    /// The text of an old file that was saved in one piece, in the document's stream.
    let text: Range<Int>
    let headerPlaces: Place?
    let characterPages: Place?
    let paragraphPages: Place?

    /// Reads the header; `nil` if it is not one.
    init?(_ stream: Bytes) {
        func word(_ offset: Int) -> Int { Int(stream.little(UInt16.self, at: offset) ?? 0) }
        func long(_ offset: Int) -> Int { Int(stream.little(UInt32.self, at: offset) ?? 0) }
        func length(_ offset: Int) -> Int { min(long(offset), 1 << 28) }
        func place(_ offset: Int) -> Place? {
            let count = long(offset + 4)
            return count > 0 ? Place(offset: long(offset), count: count) : nil
        }
        guard stream.count >= 0x180, [0xA5EC, 0xA5DC, 0xA5DB, 0xA697, 0xA698, 0xA699].contains(word(0)) else {
            return nil
        }
        let flags = word(0x0A)
        isEncrypted = flags & 0x0100 != 0
        tableName = flags & 0x0200 != 0 ? "1Table" : "0Table"
        text = long(0x18)..<max(long(0x18), long(0x1C))
        // nFib of Word 97 and later.
        isOld = word(2) < 0xC1
        if isOld {
            lengths = Lengths(
                body: length(0x34), footnotes: length(0x38), headers: length(0x3C), comments: length(0x44),
                endnotes: length(0x48), boxes: length(0x4C), headerBoxes: length(0x50))
            pieces = flags & 0x0004 != 0 ? place(0x160) : nil
            (headerPlaces, characterPages, paragraphPages) = (nil, nil, nil)
        } else {
            lengths = Lengths(
                body: length(0x4C), footnotes: length(0x50), headers: length(0x54), comments: length(0x5C),
                endnotes: length(0x60), boxes: length(0x64), headerBoxes: length(0x68))
            pieces = place(0x1A2)
            headerPlaces = place(0xF2)
            characterPages = place(0xFA)
            paragraphPages = place(0x102)
        }
    }
}
