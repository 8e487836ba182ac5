internal import Formats
internal import Media

/// The pieces of a Word file's text, in text order ([MS-DOC] 2.8.35): the file holds the text in the order of its
/// changes.
struct WordPieces {
    struct Piece {
        /// The characters, counted over the whole text.
        let characters: Range<Int>
        /// The place of the first character in the document's stream.
        let offset: Int
        /// Whether each character takes one byte (Windows-1252) instead of two (UTF-16).
        let isNarrow: Bool
    }

    private(set) var pieces: [Piece] = []

    /// The maximum number of pieces. A book that was edited for years has a few thousand.
    private static let most = 500_000

    /// A text in one piece.
    init(text: Range<Int>) { pieces = [Piece(characters: 0..<text.count, offset: text.lowerBound, isNarrow: true)] }

    /// Reads the piece table, which follows the property changes ([MS-DOC] 2.9.38).
    ///
    /// - Parameter isOld: whether all characters take one byte.
    /// - Throws: `corrupt` if there is no such table.
    init(_ table: Bytes, isOld: Bool) throws(Failure) {
        var offset = 0
        while table[offset] == 1, let count = table.little(UInt16.self, at: offset + 1) { offset += 3 + Int(count) }
        guard table[offset] == 2, let size = table.little(UInt32.self, at: offset + 1),
            let plc = table.part(at: offset + 5, count: Int(size)), plc.count >= 16
        else { throw Failure(.corrupt, detail: "the piece table is missing") }
        let count = (plc.count - 4) / 12
        guard count <= Self.most else { throw Failure(.tooLarge, detail: "more than \(Self.most) pieces of text") }
        for index in 0..<count {
            guard let start = plc.little(UInt32.self, at: index * 4),
                let end = plc.little(UInt32.self, at: index * 4 + 4),
                let place = plc.little(UInt32.self, at: (count + 1) * 4 + index * 8 + 2), start <= end
            else { throw Failure(.corrupt, detail: "the piece table is damaged") }
            let isNarrow = isOld || place & 0x4000_0000 != 0
            let offset = isOld ? Int(place) : isNarrow ? Int(place & 0x3FFF_FFFF) / 2 : Int(place & 0x3FFF_FFFF)
            pieces.append(Piece(characters: Int(start)..<Int(end), offset: offset, isNarrow: isNarrow))
        }
    }

    /// Lends the characters of a range, as UTF-16 with the place of each in the stream, until `body` returns `false`.
    func characters(
        in range: Range<Int>, of stream: Bytes, _ pages: CodePage, _ body: (_ unit: UInt16, _ offset: Int) -> Bool
    ) {
        // The pieces are consecutive.
        var (first, end) = (0, pieces.count)
        while first < end {
            let middle = (first + end) / 2
            if pieces[middle].characters.upperBound <= range.lowerBound { first = middle + 1 } else { end = middle }
        }
        stream.withBuffer { bytes in
            for piece in pieces[first...] {
                guard piece.characters.lowerBound < range.upperBound else { return }
                for character in piece.characters.clamped(to: range) {
                    let place = character - piece.characters.lowerBound
                    let offset = piece.offset + place * (piece.isNarrow ? 1 : 2)
                    guard offset >= 0, offset + (piece.isNarrow ? 0 : 1) < bytes.count else { break }
                    let unit =
                        piece.isNarrow
                        ? UInt16(truncatingIfNeeded: pages.scalar(of: bytes[offset]).value)
                        : UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
                    guard body(unit, offset) else { return }
                }
            }
        }
    }
}
