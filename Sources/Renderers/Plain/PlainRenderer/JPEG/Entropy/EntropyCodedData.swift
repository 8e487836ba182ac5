internal import Formats
internal import Glibc
internal import Media
internal import Rendering

/// The entropy-coded data of a scan, read piece by piece, without the zero byte that follows every 0xFF in the file
/// (ITU-T T.81, clause B.1.1.5).
struct EntropyCodedData {
    private let source: Source
    /// The offset in the file of the next piece.
    private(set) var offset: Int64
    /// The marker, at `offset`, that ended the data.
    private(set) var marker: UInt8?

    /// The number of data bytes read from the file so far.
    private(set) var count = 0
    /// The offset in the file that no piece crosses.
    private let division: Int64
    /// The number of data bytes before the division; `nil` until it is reached.
    private(set) var countAtDivision: Int?

    /// The last piece read, and its offset: several restart intervals may lie within one piece.
    private var piece: [UInt8] = []
    private var pieceOffset: Int64 = 0

    private static let pieceLength = 256 << 10

    /// - Parameter division: an offset at which pieces must end; not between 0xFF and the byte after it.
    init(_ source: Source, at offset: Int64, dividedAt division: Int64 = .max) {
        self.source = source
        self.offset = offset
        self.division = division
    }

    /// Gives the reader enough bytes for an MCU, or the rest of the restart interval.
    mutating func supply(_ reader: inout EntropyBitReader) throws(Declined) {
        while marker == nil, reader.bits.next > reader.refillPosition { try feed(&reader) }
        guard !reader.isExhausted else { throw Declined("a scan that is too short") }
    }

    private mutating func feed(_ reader: inout EntropyBitReader) throws(Declined) {
        let (rest, skipped) = reader.rest
        var bytes = Array(rest)
        bytes.reserveCapacity(rest.count + Self.pieceLength + EntropyBitReader.padding)
        try append(to: &bytes)
        reader = EntropyBitReader(bytes, skipping: skipped)
    }

    /// Begins the restart interval after a marker, which must have this number.
    mutating func restart(_ number: Int, _ reader: inout EntropyBitReader) throws(Declined) {
        // Intact intervals end at a marker.
        try supply(&reader)
        guard marker == 0xD0 + UInt8(number & 7) else { throw Declined("restart markers") }
        offset += 2
        marker = nil
        reader = EntropyBitReader()
    }

    /// Skips to the marker after the scan, past restart markers, without decoding.
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
            // The byte after 0xFF is in the next piece.
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

    /// Reads the next piece, unless enough of the last one is left.
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
            throw Declined("truncated in a scan")
        }
    }

    private static func indexOfFF(in piece: [UInt8], from start: Int) -> Int? {
        piece.withUnsafeBytes { bytes in
            // `memchr` reads from `start` to the end at most.
            guard start < bytes.count, let found = memchr(bytes.baseAddress! + start, 0xFF, bytes.count - start) else {
                return nil
            }
            return UnsafeRawPointer(found) - bytes.baseAddress!
        }
    }
}
