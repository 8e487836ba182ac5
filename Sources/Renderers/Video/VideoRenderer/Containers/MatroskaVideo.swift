package import Formats
package import Media
internal import Rendering

/// What a track's `Video` element says of how its frames are shown (RFC 9559, 5.1.4.1.28) and FFmpeg's demuxer passes over.
package struct MatroskaVideo: Equatable, Sendable {
    /// Rows and columns that are not shown: `PixelCrop…`.
    package private(set) var top: UInt64 = 0
    package private(set) var bottom: UInt64 = 0
    package private(set) var left: UInt64 = 0
    package private(set) var right: UInt64 = 0
    /// The size or shape as shown, after the cut; `nil` where it is not said.
    package private(set) var displayWidth: UInt64?
    package private(set) var displayHeight: UInt64?
    /// 0 for pixels, 1 to 3 for centimetres, inches and an aspect ratio, 4 where it is not known.
    package private(set) var displayUnit: UInt64 = 0
    /// 0 for one view.
    private var stereoMode: UInt64 = 0

    /// - Parameter index: counts the file's video tracks, as FFmpeg makes streams of them. `nil` is returned where there is
    ///   no such track within the first kilobytes, or it says nothing.
    package init?(ofVideoTrack index: Int, in source: Source) {
        self.init()
        var reader = EBMLReader(source)
        guard let tracks = Self.tracks(&reader) else { return nil }
        var remaining = index
        var video: Range<Int64>?
        reader.walk(tracks) { reader, element in
            guard element.id == ID.track, let content = Self.video(ofTrack: element.content, &reader) else {
                return true
            }
            if remaining == 0 { video = content }
            remaining -= 1
            return video == nil
        }
        guard let video else { return nil }
        var found = self
        reader.walk(video) { reader, element in
            found.take(element, &reader)
            return true
        }
        self = found
    }

    private init() {}
}

extension MatroskaVideo {
    /// Where the numbers of all tracks' cuts stand.
    static func margins(in source: Source) -> [Range<Int64>] {
        var reader = EBMLReader(source)
        guard let tracks = tracks(&reader) else { return [] }
        var places: [Range<Int64>] = []
        reader.walk(tracks) { reader, element in
            guard element.id == ID.track, let video = video(ofTrack: element.content, &reader) else { return true }
            reader.walk(video) { _, element in
                let isMargin = [0x54BB, 0x54AA, 0x54CC, 0x54DD].contains(element.id) && element.hasSize
                if isMargin, element.content.count <= 8 { places.append(element.content) }
                return true
            }
            return true
        }
        return places
    }

    /// The part of a frame that the cut leaves; `nil` where that is all of it, or none. What a cut means where a frame holds two
    /// views is not said.
    package func aperture(in stored: PixelSize) -> CleanAperture? {
        stereoMode == 0 ? CleanAperture(left: left, top: top, right: right, bottom: bottom, in: stored) : nil
    }

    /// A pixel's width to its height in what the cut leaves; `nil` where the file leaves that to the codec.
    package func pixelShape(of cut: PixelSize) -> (width: Int, height: Int)? {
        guard displayUnit < 4 else { return nil }
        // Where it is not said, it is the cut's own size.
        let width = displayWidth ?? (displayUnit == 0 ? UInt64(cut.width) : 0)
        let height = displayHeight ?? (displayUnit == 0 ? UInt64(cut.height) : 0)
        guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else { return nil }
        return (Int(width) * cut.height, Int(height) * cut.width)
    }

    /// Far beyond any picture, and small enough to be multiplied.
    private static let longestSide: UInt64 = 1 << 24
}

extension MatroskaVideo {
    /// RFC 9559, 5.1 (and 8794, 11.2.1, for the file's own header).
    private enum ID {
        static let file: UInt32 = 0x1A45_DFA3
        static let segment: UInt32 = 0x1853_8067
        static let seekHead: UInt32 = 0x114D_9B74
        static let seek: UInt32 = 0x4DBB
        static let seekID: UInt32 = 0x53AB
        static let seekPosition: UInt32 = 0x53AC
        static let cluster: UInt32 = 0x1F43_B675
        static let tracks: UInt32 = 0x1654_AE6B
        static let track: UInt32 = 0xAE
        static let trackType: UInt32 = 0x83
        static let codecID: UInt32 = 0x86
        static let video: UInt32 = 0xE0
    }

    /// The content of `Tracks`: before the first cluster, or where `SeekHead` says, as editors put it behind everything
    /// where it has outgrown its place.
    private static func tracks(_ reader: inout EBMLReader) -> Range<Int64>? {
        guard let segment = segment(&reader) else { return nil }
        var tracks: Range<Int64>?
        var told: Int64?
        reader.walk(segment) { reader, element in
            switch element.id {
            case ID.tracks where element.hasSize: tracks = element.content
            case ID.seekHead where told == nil: told = placeOfTracks(toldBy: element.content, &reader)
            case ID.cluster: return false
            default: break
            }
            return tracks == nil
        }
        if let tracks { return tracks }
        guard let told, told < segment.count,
            let element = reader.element(in: segment.lowerBound + told..<segment.upperBound),
            element.id == ID.tracks, element.hasSize
        else { return nil }
        return element.content
    }

    /// The content of `Segment`, to the file's end where it says to be longer: a file may have been cut off.
    private static func segment(_ reader: inout EBMLReader) -> Range<Int64>? {
        guard let header = reader.element(in: reader.file), header.id == ID.file, header.hasSize else { return nil }
        var segment: Range<Int64>?
        // The range is only the reader's bound here: a size beyond it is still a size.
        reader.walk(header.content.upperBound..<Int64(1) << 62) { reader, element in
            guard element.id == ID.segment else { return true }
            segment = element.content.clamped(to: reader.file)
            return false
        }
        return segment.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Counted from the segment's content.
    private static func placeOfTracks(toldBy seekHead: Range<Int64>, _ reader: inout EBMLReader) -> Int64? {
        var place: Int64?
        reader.walk(seekHead) { reader, element in
            guard element.id == ID.seek else { return true }
            var id: UInt64?
            var position: UInt64?
            reader.walk(element.content) { reader, element in
                if element.id == ID.seekID { id = reader.unsigned(element) }
                if element.id == ID.seekPosition { position = reader.unsigned(element) }
                return true
            }
            if id == UInt64(ID.tracks) { place = position.flatMap(Int64.init(exactly:)) }
            return place == nil
        }
        return place
    }

    /// The content of a video track's `Video`, empty where it has none; `nil` for other tracks.
    private static func video(ofTrack track: Range<Int64>, _ reader: inout EBMLReader) -> Range<Int64>? {
        var isVideo = false
        var hasCodec = false
        var video = track.upperBound..<track.upperBound
        reader.walk(track) { reader, element in
            switch element.id {
            case ID.trackType: isVideo = reader.unsigned(element) == 1
            case ID.codecID: hasCodec = true
            case ID.video where element.hasSize: video = element.content
            default: break
            }
            return true
        }
        return isVideo && hasCodec ? video : nil
    }

    private mutating func take(_ element: EBMLElement, _ reader: inout EBMLReader) {
        switch element.id {
        case 0x54BB: top = reader.unsigned(element) ?? 0
        case 0x54AA: bottom = reader.unsigned(element) ?? 0
        case 0x54CC: left = reader.unsigned(element) ?? 0
        case 0x54DD: right = reader.unsigned(element) ?? 0
        case 0x54B0: displayWidth = reader.unsigned(element)
        case 0x54BA: displayHeight = reader.unsigned(element)
        case 0x54B2: displayUnit = reader.unsigned(element) ?? 0
        case 0x53B8: stereoMode = reader.unsigned(element) ?? 0
        default: break
        }
    }
}
