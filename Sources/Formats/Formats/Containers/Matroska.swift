internal import Media

/// Matroska and WebM (RFC 9559), told apart by their DocType.
enum Matroska: ContentReader {
    private static let videoTrackType: UInt8 = 1
    private static let audioTrackType: UInt8 = 2

    static func finding(in source: BoundedSource) throws(Failure) -> Finding? {
        guard source.head.has([0x1A, 0x45, 0xDF, 0xA3]) else { return nil }
        var walker = EBMLWalker(source)
        guard let header = try walker.next(), header.id == MatroskaID.ebml,
            let type = try documentType(in: header, source)
        else { return Finding("application/x-ebml") }
        guard let segment = try walker.next(), segment.id == MatroskaID.segment else { return Finding("video/\(type)") }
        let content = try content(ofSegment: segment, source)
        return Finding("\(content == .audio ? "audio" : "video")/\(type)", hasVideo: content.hasVideo)
    }

    private static func documentType(in header: EBMLElement, _ source: BoundedSource) throws(Failure) -> String? {
        var walker = EBMLWalker(source, in: header.data)
        while let element = try walker.next() {
            guard element.id == MatroskaID.docType else { continue }
            let text = try source.bytes(at: element.data.lowerBound, count: min(element.data.count, 16))?.text
            switch text?.prefix(while: { $0 != "\0" }) {
            case "webm": return "webm"
            case "matroska": return "x-matroska"
            default: return nil
            }
        }
        return nil
    }

    /// Reads only `Tracks` before the first `Cluster`: every streamable file has them there.
    private static func content(ofSegment segment: EBMLElement, _ source: BoundedSource) throws(Failure) -> TrackContent
    {
        var walker = EBMLWalker(source, in: segment.data)
        while let element = try walker.next(), element.id != MatroskaID.cluster {
            if element.id == MatroskaID.tracks { return try content(ofTracks: element, source) }
        }
        return .unknown
    }

    private static func content(ofTracks tracks: EBMLElement, _ source: BoundedSource) throws(Failure) -> TrackContent {
        var walker = EBMLWalker(source, in: tracks.data)
        var types: [UInt8?] = []
        while let entry = try walker.next() {
            guard entry.id == MatroskaID.trackEntry else { continue }
            let type = try trackType(of: entry, source)
            if type == videoTrackType { return .video }
            types.append(type)
        }
        guard walker.isComplete, !types.isEmpty, !types.contains(nil) else { return .unknown }
        return types.contains(audioTrackType) ? .audio : .neither
    }

    private static func trackType(of entry: EBMLElement, _ source: BoundedSource) throws(Failure) -> UInt8? {
        var walker = EBMLWalker(source, in: entry.data)
        while let element = try walker.next() {
            guard element.id == MatroskaID.trackType, let last = element.data.last else { continue }
            return try source.bytes(at: last, count: 1)?[0]
        }
        return nil
    }
}
