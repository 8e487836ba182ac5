internal import Formats
internal import Glibc
internal import Media
internal import Rendering

/// The entropy-coded bytes of a scan, read piece by piece, without the zero byte that follows every 0xFF in the file
/// (ITU-T T.81, clause B.1.1.5).
struct EntropyBytes {
    private let source: Source
    /// Where the next piece begins.
    private(set) var offset: Int64
    /// The marker that ended the segment; it lies at `offset`.
    private(set) var marker: UInt8?

    /// How many were read off the file so far.
    private(set) var count = 0
    /// Where in the file the bytes are divided: no piece reaches over it.
    private let division: Int64
    /// How many bytes come before the division; `nil` till it is reached.
    private(set) var countAtDivision: Int?

    /// What was read last, and from where: restart markers divide a piece into many segments.
    private var piece: [UInt8] = []
    private var pieceOffset: Int64 = 0

    private static let pieceLength = 256 << 10

    /// - Parameter division: where the bytes are divided, if they are; not between 0xFF and what belongs to it.
    init(_ source: Source, at offset: Int64, dividedAt division: Int64 = .max) {
        self.source = source
        self.offset = offset
        self.division = division
    }

    /// Gives the reader enough for a unit of a scan, or all that is left of the segment.
    mutating func supply(_ reader: inout BitReader) throws(Declined) {
        while marker == nil, reader.bits.next > reader.endOfPlenty { try feed(&reader) }
        guard !reader.isExhausted else { throw Declined("a scan that is too short") }
    }

    private mutating func feed(_ reader: inout BitReader) throws(Declined) {
        let (rest, skipped) = reader.rest
        var bytes = Array(rest)
        bytes.reserveCapacity(rest.count + Self.pieceLength + BitReader.padding)
        try append(to: &bytes)
        reader = BitReader(bytes, skipping: skipped)
    }

    /// Begins the segment behind a restart marker, which must be the one with this number.
    mutating func restart(_ number: Int, _ reader: inout BitReader) throws(Declined) {
        // A sound interval ends at its marker.
        try supply(&reader)
        guard marker == 0xD0 + UInt8(number & 7) else { throw Declined("restart markers") }
        offset += 2
        marker = nil
        reader = BitReader()
    }

    /// Goes to the marker behind the segment, past restart markers, without looking at the bytes.
    mutating func skipScan() throws(Declined) {
        var ignored: [UInt8] = []
        while true {
            if let marker {
                guard (0xD0...0xD7).contains(marker) else { return }
                offset += 2
                self.marker = nil
            }
            ignored.removeAll(keepingCapacity: true)
            try append(to: &ignored)
        }
    }

    private mutating func append(to bytes: inout [UInt8]) throws(Declined) {
        let countBefore = bytes.count
        defer {
            count += bytes.count - countBefore
            if offset == division, countAtDivision == nil { countAtDivision = count }
        }
        try requirePiece()
        var start = Int(offset - pieceOffset)
        while let place = Self.indexOfFF(in: piece, from: start) {
            bytes += piece[start..<place]
            // The byte behind it is in the next piece.
            guard place + 1 < piece.count else {
                offset = pieceOffset + Int64(place)
                return
            }
            switch piece[place + 1] {
            case 0:
                bytes.append(0xFF)
                start = place + 2
            case 0xFF: start = place + 1
            case let found:
                marker = found
                offset = pieceOffset + Int64(place)
                return
            }
        }
        bytes += piece[start...]
        offset = pieceOffset + Int64(piece.count)
    }

    /// Reads the next piece, if there is not enough of the last one.
    private mutating func requirePiece() throws(Declined) {
        // A marker takes two bytes.
        if offset >= pieceOffset, offset + 1 < pieceOffset + Int64(piece.count) { return }
        let untilDivision = offset < division ? division - offset : .max
        do throws(Failure) {
            piece = try source.bytes(at: offset, count: Int(min(Int64(Self.pieceLength), untilDivision)))
        } catch {
            throw Declined(error.detail)
        }
        pieceOffset = offset
        guard piece.count > 1 || piece.count == untilDivision && piece[0] != 0xFF else {
            throw Declined("broken off in a scan")
        }
    }

    private static func indexOfFF(in piece: [UInt8], from start: Int) -> Int? {
        piece.withUnsafeBytes { bytes in
            // `memchr` looks at the bytes from `start` to the end and no further.
            guard start < bytes.count, let found = memchr(bytes.baseAddress! + start, 0xFF, bytes.count - start) else {
                return nil
            }
            return UnsafeRawPointer(found) - bytes.baseAddress!
        }
    }
}
