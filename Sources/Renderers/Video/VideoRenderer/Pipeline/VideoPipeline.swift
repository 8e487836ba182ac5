internal import CFFmpeg
internal import Formats
internal import Media
internal import Rendering
internal import Wire

/// Renders a container: opens it, chooses a stream, finds the poster frame, scales, rotates, writes.
struct VideoPipeline {
    private let job: RenderJob
    private let container: Container
    private var request: RenderRequest { job.request }

    init(_ job: RenderJob) throws(Failure) {
        self.job = job
        container = try Container(job.source, mediaType: job.request.mediaType, limits: job.request.limits)
    }

    func run() throws(Failure) -> RenderAnswer {
        if !job.wantsPixels, let facts = try soundFacts() { return .rendered(facts, []) }
        switch try StreamChoice(in: container) {
        case .movingPicture(let stream):
            for other in container.streams where other.index != stream.index { other.disable() }
            return job.wantsPixels ? try answer(with: stream) : .rendered(try headerFacts(of: stream), [])
        case .cover(let stream):
            return try answer(cover: stream)
        }
    }

    /// The facts of a file with only audio streams, which has a duration and no picture; `nil` for other files.
    private func soundFacts() throws(Failure) -> Facts? {
        guard let sound = container.streams.first(where: \.isSound), container.streams.allSatisfy(\.isSound) else {
            return nil
        }
        if container.duration == nil { try container.analyse() }
        return facts(of: sound)
    }

    private func answer(with stream: Stream) throws(Failure) -> RenderAnswer {
        let display = container.display(of: stream, readsCrops: !request.skipsShortcuts)
        let effort = DecodingEffort(for: request, stream, shownBy: display)
        let decoder = try Decoder(for: stream, effort.options, limits: request.limits)
        var search = FrameSearch(in: container, stream, decoder)
        job.finish(.open)
        job.noteDecoder(decoder, effort.options, of: stream, in: container)
        let (frame, poster) = try find(with: &search, in: stream)
        job.finish(.search)
        frame.complete(from: stream)
        // A frame decoded at a reduced size does not have the picture's size.
        let shrinkPowers = effort.options.shrinkPowers
        var size = shrinkPowers > 0 ? stream.size ?? frame.size : frame.size
        let aperture = display.aperture(in: size)
        if let aperture {
            frame.crop(to: aperture, shrinkPowers: shrinkPowers)
            size = aperture.size
        }
        let presentation = Presentation(display, CodecDisplay(of: frame), storedSize: size, aperture: aperture)
        job.noteShape(presentation, display, frame, aperture)
        job.noteColour(frame, storedSize: size)
        job.noteFrame(poster, frame)
        job.noteLimits(container, frame.size, packetCount: search.packetCount)
        var facts = facts(of: stream)
        facts.frameRate = (stream.frameRate ?? decoder.frameRate).map { frame.isSingleField ? $0 / 2 : $0 }
        facts.add(presentation)
        facts.add(ColourDescription(of: frame))
        facts.poster = poster
        let pixels = try Renditions(of: frame, presentation, for: job).write()
        job.finish(.draw)
        return .rendered(facts, pixels)
    }

    private func find(
        with search: inout FrameSearch, in stream: Stream
    ) throws(Failure) -> (frame: Frame, poster: Facts.Poster) {
        let timeline = Timeline(of: stream, in: container)
        guard let seconds = PosterTime(request.time, in: container).seconds else {
            return try findFirst(with: &search, timeline)
        }
        let start = try search.startTime()
        let frame = try search.frame(at: timeline.time(of: seconds, first: start), start: start)
        return (frame, Facts.Poster(time: timeline.seconds(of: frame, first: start), reason: "asked"))
    }

    /// The first frame, or a frame with content if the first is blank and no time was requested.
    private func findFirst(
        with search: inout FrameSearch, _ timeline: Timeline
    ) throws(Failure) -> (frame: Frame, poster: Facts.Poster) {
        let first = try search.firstFrame()
        let start = search.stream.startTime ?? first.time ?? .zero
        func found(_ frame: Frame, _ reason: String) -> (Frame, Facts.Poster) {
            (frame, Facts.Poster(time: timeline.seconds(of: frame, first: start), reason: reason))
        }
        guard request.time == .poster else { return found(first, "asked") }
        guard first.isBlank, let frame = search.frameWithContent(after: first) else { return found(first, "first") }
        return found(frame, "first-blank")
    }

    private func answer(cover stream: Stream) throws(Failure) -> RenderAnswer {
        let decoder = try Decoder(for: stream, Decoder.Options(), limits: request.limits)
        job.finish(.open)
        job.noteDecoder(decoder, Decoder.Options(), of: stream, in: container)
        let frame = try decoder.onlyFrame(of: stream.coverPacket())
        job.finish(.decode)
        let presentation = Presentation(storedSize: frame.size, pixelAspectRatio: (1, 1), orientation: .upright)
        if container.duration == nil { try container.analyse() }
        // The facts describe the audio, which is the file's content.
        var facts = facts(of: container.streams.first(where: \.isSound) ?? stream)
        facts.add(presentation)
        facts.add(ColourDescription(of: frame))
        let poster = Facts.Poster(time: 0, reason: "cover")
        facts.poster = poster
        job.noteColour(frame, storedSize: frame.size)
        job.noteFrame(poster, frame)
        job.noteLimits(container, frame.size, packetCount: nil)
        let pixels = try Renditions(of: frame, presentation, for: job).write()
        job.finish(.draw)
        return .rendered(facts, pixels)
    }

    /// The facts in the container's header.
    private func facts(of stream: Stream) -> Facts {
        var facts = Facts(mediaType: request.mediaType, byteCount: job.source.byteCount)
        facts.duration = container.duration
        facts.codec = stream.codecName
        facts.title = container.title
        return facts
    }

    /// The facts in the headers of the container and of the codec, without decoding a picture.
    private func headerFacts(of stream: Stream) throws(Failure) -> Facts {
        let decoder = try Decoder(for: stream, .init(headersOnly: true), limits: request.limits)
        var search = FrameSearch(in: container, stream, decoder)
        let packet = try search.readHeaders()
        guard let size = decoder.size ?? stream.size else { throw search.noFrame }
        let display = container.display(of: stream, readsCrops: !request.skipsShortcuts)
        let aperture = display.aperture(in: size)
        var facts = facts(of: stream)
        facts.add(
            Presentation(
                display, CodecDisplay(of: decoder, packet), storedSize: aperture?.size ?? size, aperture: aperture))
        facts.add(decoder.colourDescription(of: stream))
        return facts
    }
}
