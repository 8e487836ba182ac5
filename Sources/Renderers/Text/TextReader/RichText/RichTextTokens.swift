internal import Formats
internal import Media

/// Splits Rich Text Format 1.9 into tokens; it reads the file in pieces.
struct RichTextTokens {
    enum Token: Equatable {
        case open
        case close
        /// A control word with its number, such as `\par` or `\u8211`.
        case word(String, Int?)
        /// A control symbol, such as `\~`.
        case symbol(UInt8)
        /// A byte as two hexadecimal digits, `\'e9`.
        case hexByte(UInt8)
        /// A byte of text in the current code page.
        case byte(UInt8)
    }

    private let source: BoundedSource
    private var piece = Bytes([])
    private var pieceOffset: Int64 = 0
    private var index = 0

    init(_ source: BoundedSource) { self.source = source }

    private static let pieceByteCount = 64 << 10
    /// The longest control word (RTF 1.9: 32 letters).
    private static let longestWord = 32

    /// The next token; `nil` at the end.
    mutating func next() throws(Failure) -> Token? {
        while let byte = try take() {
            switch byte {
            case UInt8(ascii: "{"): return .open
            case UInt8(ascii: "}"): return .close
            case UInt8(ascii: "\\"): return try control()
            case 0x0A, 0x0D, 0: continue
            default: return .byte(byte)
            }
        }
        return nil
    }

    /// Skips the bytes after `\bin`, or as many as there are.
    mutating func skip(_ count: Int) {
        let inPiece = min(max(0, count), piece.count - index)
        index += inPiece
        guard count > inPiece else { return }
        pieceOffset = min(source.byteCount, pieceOffset + Int64(piece.count) + Int64(count - inPiece))
        piece = Bytes([])
        index = 0
    }

    private mutating func control() throws(Failure) -> Token? {
        guard let first = try take() else { return nil }
        guard Self.isLetter(first) else {
            switch first {
            case UInt8(ascii: "'"):
                guard let high = try take().flatMap(Self.digit), let low = try take().flatMap(Self.digit) else {
                    return .symbol(first)
                }
                return .hexByte(high << 4 | low)
            // A line end after a backslash is `\par`.
            case 0x0A, 0x0D: return .word("par", nil)
            default: return .symbol(first)
            }
        }
        var name = [first]
        var byte = try take()
        while let letter = byte, Self.isLetter(letter) {
            if name.count < Self.longestWord { name.append(letter) }
            byte = try take()
        }
        var number: Int?
        if let start = byte, start == UInt8(ascii: "-") || Self.isDigit(start) {
            let isNegative = start == UInt8(ascii: "-")
            if isNegative { byte = try take() }
            var value = 0
            while let digit = byte, Self.isDigit(digit) {
                value = min(Int(Int32.max), value * 10 + Int(digit - UInt8(ascii: "0")))
                byte = try take()
            }
            number = isNegative ? -value : value
        }
        // A space ends the word and belongs to it; any other byte belongs to the next token.
        if let byte, byte != UInt8(ascii: " ") { index -= 1 }
        return .word(String(decoding: name, as: UTF8.self), number)
    }

    private mutating func take() throws(Failure) -> UInt8? {
        if index == piece.count {
            // The last byte stays, so that one byte can be put back.
            let kept = piece.count
            let next = pieceOffset + Int64(kept)
            guard next < source.byteCount else { return nil }
            guard let read = try source.available(at: next, count: Self.pieceByteCount), read.count > 0 else {
                throw Failure(.tooLarge, detail: "more than is read of a document")
            }
            (piece, pieceOffset, index) = (read, next, 0)
        }
        defer { index += 1 }
        return piece[index]
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) && byte & 0x40 != 0
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func digit(_ byte: UInt8) -> UInt8? { Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init) }
}
