internal import CFFmpeg
internal import Formats
internal import Media
internal import Rendering
internal import Wire

/// Renders a still picture: decode, scale, write.
struct StillPipeline {
    private let job: RenderJob
    private let format: StillFormat

    init(_ job: RenderJob, format: StillFormat) {
        self.job = job
        self.format = format
    }

    func run() throws(Failure) -> RenderAnswer {
        let picture = try picture()
        job.finish(.decode)
        job.note(.decoder, picture.decoderNote)
        job.note(.colour, picture.colourNote())
        let presentation = Presentation(
            storedSize: picture.size, pixelAspectRatio: picture.pixelAspectRatio, orientation: .upright)
        var facts = Facts(mediaType: job.request.mediaType, byteCount: job.source.byteCount)
        facts.add(presentation)
        facts.add(picture.colour)
        let pixels = try Renditions(of: picture.source, presentation, for: job).write()
        job.finish(.draw)
        // Many files have an alpha channel without a transparent pixel.
        if let first = pixels.first { facts.hasAlpha = first.channels == 4 }
        return .rendered(facts, pixels)
    }

    private func picture() throws(Failure) -> StillPicture {
        let limits = job.request.limits
        switch format {
        case .icon: return try IconFile(job.source).picture(limits)
        case .photoshop:
            if job.request.skipsShortcuts { return try picture(by: AV_CODEC_ID_PSD) }
            return try PhotoshopFile(job.source, limits).picture()
        case .packet(let codecID): return try picture(by: codecID)
        }
    }

    private func picture(by codecID: AVCodecID) throws(Failure) -> StillPicture {
        let limits = job.request.limits
        let decoder = try Decoder(for: codecID, limits: limits)
        let frame = try decoder.onlyFrame(of: Packet(of: job.source, 0..<job.source.byteCount, limits: limits))
        return try StillPicture(
            frame, decoderNote: "FFmpeg's \(decoder.name): the whole file is one packet", limits: limits)
    }
}
