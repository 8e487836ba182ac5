internal import CFFmpeg
internal import Media

/// The way in which a container asks to show a stream's frames: FFmpeg's fields, and fields that its demuxers ignore.
struct StreamDisplay {
    private let stream: Stream
    private let clap: [Int32]?
    private let matroska: MatroskaVideo?

    /// Combines FFmpeg's stream with fields that this project's own readers found.
    ///
    /// - Parameters:
    ///   - clap: the eight integers of a clean aperture in MP4 or QuickTime.
    ///   - matroska: the `Video` element of a Matroska track.
    init(of stream: Stream, clap: [Int32]? = nil, matroska: MatroskaVideo? = nil) {
        self.stream = stream
        self.clap = clap
        self.matroska = matroska
    }

    /// The rotation; `nil` if the container does not state it.
    var matrix: DisplayMatrix? { stream.displayMatrix }

    /// The visible part of a frame; `nil` if that is the whole frame.
    func aperture(in stored: PixelSize) -> CleanAperture? {
        clap.flatMap { CleanAperture($0, in: stored) } ?? matroska?.aperture(in: stored)
    }

    /// The pixel aspect ratio; `nil` if the container does not state it. FFmpeg's value for Matroska is not used for
    /// cropped frames, because only some FFmpeg versions take the crop into account.
    func pixelAspectRatio(in aperture: CleanAperture?) -> AVRational? {
        guard let matroska, let aperture else { return stream.pixelAspectRatio.num > 0 ? stream.pixelAspectRatio : nil }
        return matroska.pixelAspectRatio(of: aperture.size).map { shape in
            var ratio = AVRational(num: 0, den: 1)
            av_reduce(&ratio.num, &ratio.den, Int64(shape.width), Int64(shape.height), Int64(Int32.max))
            return ratio
        }
    }
}

extension StreamDisplay {
    /// The origin of an aperture, for `--explain`.
    var apertureOrigin: String { matroska == nil ? "clean aperture" : "crop area" }
}
