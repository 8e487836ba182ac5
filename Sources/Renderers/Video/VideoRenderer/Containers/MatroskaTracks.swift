internal import Formats
internal import Rendering

/// An element of EBML (RFC 8794): what it is, and where in the file its content lies.
struct EBMLElement {
    /// With the bits that tell its length, as the tables of RFC 9559 have it.
    let id: UInt32
    /// For a size that is not known: to the end of what it lies in.
    let content: Range<Int64>
    let hasSize: Bool
}

/// Reads EBML from a hostile file.
///
/// It reads a fixed count of pieces, whatever the file says, and never backwards within one walk: what makes no sense ends the
/// walk, as if nothing followed.
struct EBMLReader {
    private let source: Source
    private var piece: [UInt8] = []
    private var pieceStart: Int64 = 0
    private var pieceCount = 0
    private var elementCount = 0

    private static let pieceByteCount = 4096
    /// With the above, 64 KiB at most.
    private static let pieceLimit = 16
    private static let elementLimit = 2000

    init(_ source: Source) { self.source = source }

    /// The whole file.
    var file: Range<Int64> { 0..<max(0, source.byteCount) }

    /// The element at the beginning of a range; `nil` where none lies wholly in it.
    mutating func element(in range: Range<Int64>) -> EBMLElement? {
        elementCount += 1
        guard elementCount <= Self.elementLimit, let idLength = length(at: range, longest: 4) else { return nil }
        let sizePlace = range.lowerBound + Int64(idLength)
        guard sizePlace < range.upperBound, let sizeLength = length(at: sizePlace..<range.upperBound, longest: 8),
            let id = number(at: range.lowerBound, count: idLength), let size = number(at: sizePlace, count: sizeLength)
        else { return nil }
        let start = sizePlace + Int64(sizeLength)
        guard start <= range.upperBound else { return nil }
        // All ones say that the size is not known.
        let largest = UInt64(1) << (7 * sizeLength) - 1
        let byteCount = size & largest
        guard byteCount < largest else {
            return EBMLElement(id: UInt32(id), content: start..<range.upperBound, hasSize: false)
        }
        guard byteCount <= UInt64(range.upperBound - start) else { return nil }
        return EBMLElement(id: UInt32(id), content: start..<start + Int64(byteCount), hasSize: true)
    }

    /// Gives away the elements of a range one after the other, until `visit` returns false, they end, or one has no size.
    mutating func walk(_ range: Range<Int64>, _ visit: (inout EBMLReader, EBMLElement) -> Bool) {
        var rest = range
        while !rest.isEmpty, let element = element(in: rest), visit(&self, element), element.hasSize {
            rest = element.content.upperBound..<rest.upperBound
        }
    }

    /// An unsigned number of up to 8 bytes; `nil` where it is longer, or empty and so left to its default.
    mutating func unsigned(_ element: EBMLElement) -> UInt64? {
        guard element.hasSize, (1...8).contains(element.content.count) else { return nil }
        return number(at: element.content.lowerBound, count: element.content.count)
    }
}

extension EBMLReader {
    /// How many bytes a number takes that begins here: as many as its first byte has zeros in front, and one.
    private mutating func length(at range: Range<Int64>, longest: Int) -> Int? {
        guard !range.isEmpty, let first = number(at: range.lowerBound, count: 1) else { return nil }
        let length = UInt8(first).leadingZeroBitCount + 1
        return length <= longest ? length : nil
    }

    private mutating func number(at place: Int64, count: Int) -> UInt64? {
        if place < pieceStart || place + Int64(count) > pieceStart + Int64(piece.count) {
            guard pieceCount < Self.pieceLimit else { return nil }
            pieceCount += 1
            // Fewer only at the end of the file.
            piece = (try? source.bytes(at: place, count: Self.pieceByteCount)) ?? []
            pieceStart = place
            guard piece.count >= count else { return nil }
        }
        let start = Int(place - pieceStart)
        return piece[start..<start + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
