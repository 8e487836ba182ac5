package import Formats
package import Media

/// The display fields of a Matroska track's `Video` element (RFC 9559, 5.1.4.1.28), which FFmpeg's demuxer ignores.
package struct MatroskaVideo: Equatable, Sendable {
    /// Hidden rows and columns: `PixelCrop…`.
    private var top: UInt64 = 0
    private var bottom: UInt64 = 0
    private var left: UInt64 = 0
    private var right: UInt64 = 0
    /// The size or shape as shown, after the crop; `nil` if it is not stated.
    private var displayWidth: UInt64?
    private var displayHeight: UInt64?
    /// 0 for pixels, 1 to 3 for centimetres, inches and an aspect ratio, 4 for an unknown unit.
    private var displayUnit: UInt64 = 0
    /// 0 for one view.
    private var stereoMode: UInt64 = 0

    /// The element of one of the file's video tracks; `nil` if there is no such track, or it cannot be read.
    ///
    /// - Parameter index: counts video tracks from which FFmpeg creates picture streams.
    package init?(ofVideoTrack index: Int, in source: Source) {
        guard let videos = try? MatroskaTracks(in: source)?.videos(), videos.indices.contains(index) else { return nil }
        self = videos[index]
    }

    /// Reads an element; without one, every value has its default.
    init(_ element: EBMLElement?, in source: BoundedSource) throws(Failure) {
        guard let element else { return }
        var walker = EBMLWalker(source, in: element.data)
        while let child = try walker.next() { try take(child, source) }
    }

    private mutating func take(_ element: EBMLElement, _ source: BoundedSource) throws(Failure) {
        switch element.id {
        case MatroskaID.pixelCropTop: top = try source.unsignedInteger(element) ?? 0
        case MatroskaID.pixelCropBottom: bottom = try source.unsignedInteger(element) ?? 0
        case MatroskaID.pixelCropLeft: left = try source.unsignedInteger(element) ?? 0
        case MatroskaID.pixelCropRight: right = try source.unsignedInteger(element) ?? 0
        case MatroskaID.displayWidth: displayWidth = try source.unsignedInteger(element)
        case MatroskaID.displayHeight: displayHeight = try source.unsignedInteger(element)
        case MatroskaID.displayUnit: displayUnit = try source.unsignedInteger(element) ?? 0
        case MatroskaID.stereoMode: stereoMode = try source.unsignedInteger(element) ?? 0
        default: break
        }
    }
}

extension MatroskaVideo {
    /// The part of a frame that remains after the crop; `nil` if that is the whole frame, or nothing. Frames with two
    /// views are not cropped, since the standard does not define that.
    package func aperture(in stored: PixelSize) -> CleanAperture? {
        stereoMode == 0 ? CleanAperture(left: left, top: top, right: right, bottom: bottom, in: stored) : nil
    }

    /// The pixel aspect ratio of a cropped frame, width to height; `nil` if the file leaves it to the codec.
    package func pixelAspectRatio(of cropped: PixelSize) -> (width: Int, height: Int)? {
        guard displayUnit < 4 else { return nil }
        // The default is the size after the crop.
        let width = displayWidth ?? (displayUnit == 0 ? UInt64(cropped.width) : 0)
        let height = displayHeight ?? (displayUnit == 0 ? UInt64(cropped.height) : 0)
        guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else { return nil }
        return (Int(width) * cropped.height, Int(height) * cropped.width)
    }

    /// Larger than any picture, and small enough that products do not overflow.
    private static let longestSide: UInt64 = 1 << 24
}
