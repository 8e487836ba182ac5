internal import Media

/// Matroska and WebM (RFC 9559): EBML elements; the document type tells the two apart.
enum Matroska: ContentReader {
    private static let headerID: UInt64 = 0x1A45_DFA3
    private static let documentTypeID: UInt64 = 0x4282
    private static let segmentID: UInt64 = 0x1853_8067
    private static let tracksID: UInt64 = 0x1654_AE6B
    private static let clusterID: UInt64 = 0x1F43_B675
    private static let trackEntryID: UInt64 = 0xAE
    private static let trackTypeID: UInt64 = 0x83
    private static let videoTrackType: UInt8 = 1
    private static let audioTrackType: UInt8 = 2

    static func finding(in source: BoundedSource) throws(Failure) -> Finding? {
        guard source.head.has([0x1A, 0x45, 0xDF, 0xA3]) else { return nil }
        var walk = EBMLWalk(source, in: 0..<source.byteCount)
        guard let header = try walk.next(), header.id == headerID,
            let type = try documentType(in: header, source)
        else { return Finding("application/x-ebml") }
        guard let segment = try walk.next(), segment.id == segmentID else { return Finding("video/\(type)") }
        let content = try content(ofSegment: segment, source)
        return Finding("\(content == .audio ? "audio" : "video")/\(type)", hasVideo: content.hasVideo)
    }

    private static func documentType(in header: EBMLElement, _ source: BoundedSource) throws(Failure) -> String? {
        var walk = EBMLWalk(source, in: header.payload)
        while let element = try walk.next() {
            guard element.id == documentTypeID else { continue }
            let text = try source.bytes(at: element.payload.lowerBound, count: min(element.payload.count, 16))?.text
            switch text?.prefix(while: { $0 != "\0" }) {
            case "webm": return "webm"
            case "matroska": return "x-matroska"
            default: return nil
            }
        }
        return nil
    }

    /// Tracks stand before the first cluster in every file that is meant to be streamed; others stay unknown.
    private static func content(ofSegment segment: EBMLElement, _ source: BoundedSource) throws(Failure) -> TrackContent
    {
        var walk = EBMLWalk(source, in: segment.payload)
        while let element = try walk.next(), element.id != clusterID {
            if element.id == tracksID { return try content(ofTracks: element, source) }
        }
        return .unknown
    }

    private static func content(ofTracks tracks: EBMLElement, _ source: BoundedSource) throws(Failure) -> TrackContent {
        var walk = EBMLWalk(source, in: tracks.payload)
        var types: [UInt8?] = []
        while let entry = try walk.next() {
            guard entry.id == trackEntryID else { continue }
            let type = try trackType(of: entry, source)
            if type == videoTrackType { return .video }
            types.append(type)
        }
        guard walk.isComplete, !types.isEmpty, !types.contains(nil) else { return .unknown }
        return types.contains(audioTrackType) ? .audio : .neither
    }

    private static func trackType(of entry: EBMLElement, _ source: BoundedSource) throws(Failure) -> UInt8? {
        var walk = EBMLWalk(source, in: entry.payload)
        while let element = try walk.next() {
            guard element.id == trackTypeID, let last = element.payload.last else { continue }
            return try source.bytes(at: last, count: 1)?[0]
        }
        return nil
    }
}

/// An EBML element (RFC 8794): an identifier with its length marker, and a payload cut to its parent's end.
struct EBMLElement {
    let id: UInt64
    let payload: Range<Int64>
}

/// EBML elements that follow each other within a range of the file, at most 256 of them.
struct EBMLWalk {
    private let source: BoundedSource
    private var offset: Int64
    private let end: Int64
    private var elementsLeft = 256

    /// Whether the walk ended at the range's end.
    var isComplete: Bool { offset == end }

    init(_ source: BoundedSource, in range: Range<Int64>) {
        self.source = source
        offset = range.lowerBound
        end = range.upperBound
    }

    mutating func next() throws(Failure) -> EBMLElement? {
        guard elementsLeft > 0, offset < end,
            let header = try source.bytes(at: offset, count: Int(min(12, end - offset))),
            let (id, idLength) = Self.number(in: header, at: 0, longest: 4, keepsMarker: true),
            let (size, sizeLength) = Self.number(in: header, at: idLength, longest: 8, keepsMarker: false)
        else { return nil }
        elementsLeft -= 1
        let start = offset + Int64(idLength + sizeLength)
        // All ones mean an unknown size: up to the parent's end.
        let isUnknown = size == (1 << (7 * UInt64(sizeLength))) - 1
        let payloadEnd = isUnknown || size > UInt64(end - start) ? end : start + Int64(size)
        offset = payloadEnd
        return EBMLElement(id: id, payload: start..<payloadEnd)
    }

    /// A variable-length number (RFC 8794, 4): the leading zeros of its first byte tell how many bytes follow.
    private static func number(
        in bytes: Bytes, at offset: Int, longest: Int, keepsMarker: Bool
    ) -> (value: UInt64, length: Int)? {
        guard let first = bytes[offset] else { return nil }
        let length = first.leadingZeroBitCount + 1
        guard length <= longest, let part = bytes.part(at: offset, count: length) else { return nil }
        var value: UInt64 = 0
        for index in 0..<length { value = value << 8 | UInt64(part[index] ?? 0) }
        return (keepsMarker ? value : value & ~(1 << (7 * UInt64(length))), length)
    }
}
