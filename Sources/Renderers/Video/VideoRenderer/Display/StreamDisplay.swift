internal import CFFmpeg
internal import Media

/// How a container says that a stream's frames are shown: what FFmpeg tells of it, and what its demuxers pass over.
struct StreamDisplay {
    private let stream: Stream
    private let clap: [Int32]?
    private let matroska: MatroskaVideo?

    /// - Parameters:
    ///   - clap: the numbers of an MP4's or QuickTime file's clean aperture.
    ///   - matroska: what a Matroska file's track says.
    init(of stream: Stream, clap: [Int32]? = nil, matroska: MatroskaVideo? = nil) {
        self.stream = stream
        self.clap = clap
        self.matroska = matroska
    }

    /// The turn; `nil` where the container does not say.
    var matrix: DisplayMatrix? { stream.displayMatrix }

    /// The part of a frame that is there to be seen; `nil` where that is all of it.
    func aperture(in stored: PixelSize) -> CleanAperture? {
        clap.flatMap { CleanAperture($0, in: stored) } ?? matroska?.aperture(in: stored)
    }

    /// A pixel's width to its height; `nil` where the container does not say. FFmpeg's word for Matroska leaves the cut out of
    /// account, or not, as its version has it.
    func pixelShape(in aperture: CleanAperture?) -> AVRational? {
        guard let matroska, let aperture else { return stream.pixelShape.num > 0 ? stream.pixelShape : nil }
        return matroska.pixelShape(of: aperture.size).map { shape in
            var ratio = AVRational(num: 0, den: 1)
            av_reduce(&ratio.num, &ratio.den, Int64(shape.width), Int64(shape.height), Int64(Int32.max))
            return ratio
        }
    }
}

extension StreamDisplay {
    /// What an aperture comes from, in words.
    var apertureOrigin: String { matroska == nil ? "clean aperture" : "cut by the container to an area" }
}
