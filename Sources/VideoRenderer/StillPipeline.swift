internal import CFFmpeg
internal import Media
internal import Rendering
internal import Wire

/// The way from a still picture's file to its renditions.
struct StillPipeline {
    private let job: RenderJob
    private let format: StillFormat

    init(_ job: RenderJob, format: StillFormat) {
        self.job = job
        self.format = format
    }

    func run() throws(Failure) -> RenderAnswer {
        let limits = job.request.limits
        let decoder = try Decoder(for: format.codecID, limits: limits)
        let frame = try decoder.onlyFrame(of: Packet(wholeOf: job.source, limit: limits.posterReadByteCount))
        job.finish(.decode)
        job.note(.decoder, "FFmpeg's \(decoder.name): the whole file is one packet")
        job.noteColour(frame, storedSize: frame.size)
        let shape = frame.pointer.pointee.sample_aspect_ratio
        let presentation = Presentation(
            storedSize: frame.size, pixelShape: (Int(shape.num), Int(shape.den)), orientation: .upright)
        var facts = Facts(mediaType: job.request.mediaType, byteCount: job.source.byteCount)
        facts.add(presentation)
        facts.add(ColourDescription(of: frame))
        let pixels = try Renditions(of: frame, presentation, for: job).write()
        job.finish(.draw)
        // Many files have room for transparency that they do not use.
        if let first = pixels.first { facts.hasAlpha = first.channels == 4 }
        return .rendered(facts, pixels)
    }
}

extension Packet {
    /// A whole file.
    ///
    /// - Throws: `tooLarge` over the limit on bytes read; `corrupt` where it cannot be read.
    fileprivate convenience init(wholeOf source: Source, limit: UInt64) throws(Failure) {
        guard UInt64(source.byteCount) <= min(limit, UInt64(Int32.max >> 1)) else { throw .tooMuchToRead(limit) }
        try self.init()
        let byteCount = Int(source.byteCount)
        guard av_new_packet(pointer, Int32(byteCount)) >= 0 else { throw .outOfMemory("\(byteCount) bytes of source") }
        let buffer = UnsafeMutableRawBufferPointer(start: pointer.pointee.data, count: byteCount)
        guard (try? source.read(into: buffer, at: 0)) == byteCount else {
            throw Failure(.corrupt, detail: "the file could not be read whole")
        }
    }
}
