internal import Formats
internal import Media

/// The `Tracks` element of a Matroska file (RFC 9559, 5.1.4).
///
/// It reads only elements with a stated size, which the standard requires of all but `Segment` and `Cluster`.
struct MatroskaTracks {
    private let source: BoundedSource
    private let data: Range<Int64>

    /// Enough for the tracks of any file, and small enough to be read in a few milliseconds.
    private static let readLimit = 2000
    private static let byteLimit = 64 << 10

    /// Finds the element before the first `Cluster`, or at the position in `SeekHead`: editors append `Tracks` that
    /// have outgrown their place.
    ///
    /// - Returns: `nil` if the file has none within the read limits.
    init?(in source: Source) {
        guard let bounded = try? BoundedSource(source, byteLimit: Self.byteLimit, readLimit: Self.readLimit),
            let data = try? Self.tracks(in: bounded)
        else { return nil }
        self.source = bounded
        self.data = data
    }

    /// The `Video` elements of the tracks, in the order in which FFmpeg creates picture streams from them.
    ///
    /// - Throws: `corrupt` if the file cannot be read.
    func videos() throws(Failure) -> [MatroskaVideo] {
        try videoElements().map { element throws(Failure) in try MatroskaVideo(element, in: source) }
    }

    /// The places of the values of all `PixelCrop…` elements in the file.
    ///
    /// - Throws: `corrupt` if the file cannot be read.
    func cropPlaces() throws(Failure) -> [Range<Int64>] {
        var places: [Range<Int64>] = []
        for element in try videoElements().compactMap({ $0 }) {
            var walker = EBMLWalker(source, in: element.data)
            while let child = try walker.next() {
                let isCrop = MatroskaID.pixelCrops.contains(child.id) && child.isComplete
                if isCrop, child.data.count <= 8 { places.append(child.data) }
            }
        }
        return places
    }

    /// The `Video` element of each picture track; `nil` for a track that lacks it.
    private func videoElements() throws(Failure) -> [EBMLElement?] {
        var walker = EBMLWalker(source, in: data)
        var elements: [EBMLElement?] = []
        while let entry = try walker.next() {
            guard entry.id == MatroskaID.trackEntry, entry.isComplete else { continue }
            let (isVideo, element) = try video(ofTrack: entry)
            if isVideo { elements.append(element) }
        }
        return elements
    }

    /// Whether FFmpeg creates a picture stream from a track, and the track's `Video` element.
    private func video(ofTrack entry: EBMLElement) throws(Failure) -> (isVideo: Bool, element: EBMLElement?) {
        var walker = EBMLWalker(source, in: entry.data)
        var isVideo = false
        var hasCodec = false
        var video: EBMLElement?
        while let element = try walker.next() {
            switch element.id {
            case MatroskaID.trackType: isVideo = try source.unsignedInteger(element) == 1
            case MatroskaID.codecID: hasCodec = true
            case MatroskaID.video where element.isComplete: video = element
            default: break
            }
        }
        return (isVideo && hasCodec, video)
    }
}

extension MatroskaTracks {
    private static func tracks(in source: BoundedSource) throws(Failure) -> Range<Int64>? {
        guard let segment = try segment(in: source) else { return nil }
        var walker = EBMLWalker(source, in: segment)
        var position: Int64?
        while let element = try walker.next(), element.id != MatroskaID.cluster {
            guard element.isComplete else { continue }
            if element.id == MatroskaID.tracks { return element.data }
            if element.id == MatroskaID.seekHead, position == nil {
                position = try positionOfTracks(in: element, source)
            }
        }
        guard let position, position < segment.count else { return nil }
        var target = EBMLWalker(source, in: segment.lowerBound + position..<segment.upperBound)
        guard let element = try target.next(), element.id == MatroskaID.tracks, element.isComplete else { return nil }
        return element.data
    }

    /// The data of `Segment`, whose stated size may exceed a truncated file.
    private static func segment(in source: BoundedSource) throws(Failure) -> Range<Int64>? {
        var walker = EBMLWalker(source)
        guard let header = try walker.next(), header.id == MatroskaID.ebml, header.isComplete else { return nil }
        while let element = try walker.next() {
            if element.id == MatroskaID.segment { return element.data }
        }
        return nil
    }

    /// The Segment Position (RFC 9559, 16) that a `SeekHead` gives for `Tracks`.
    private static func positionOfTracks(in seekHead: EBMLElement, _ source: BoundedSource) throws(Failure) -> Int64? {
        var walker = EBMLWalker(source, in: seekHead.data)
        while let seek = try walker.next() {
            guard seek.id == MatroskaID.seek else { continue }
            var fields = EBMLWalker(source, in: seek.data)
            var id: UInt64?
            var position: UInt64?
            while let element = try fields.next() {
                if element.id == MatroskaID.seekID { id = try source.unsignedInteger(element) }
                if element.id == MatroskaID.seekPosition { position = try source.unsignedInteger(element) }
            }
            if id == UInt64(MatroskaID.tracks), let position = position.flatMap(Int64.init(exactly:)) {
                return position
            }
        }
        return nil
    }
}
