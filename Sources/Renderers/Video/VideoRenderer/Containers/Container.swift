internal import CFFmpeg
internal import Formats
internal import Media

/// Owns an open container: an `AVFormatContext` over a source.
///
/// Through it FFmpeg can open no other file or protocol, and no format outside `ContainerFormat`.
final class Container {
    let pointer: UnsafeMutablePointer<AVFormatContext>
    private let input: SourceInput
    private let source: Source
    private let limits: Limits

    /// Opens a source as a container of its media type.
    ///
    /// - Throws: `corrupt`, `unsupported`, and `tooLarge` over the limit on streams or on bytes read.
    init(_ source: Source, mediaType: MediaType, limits: Limits) throws(Failure) {
        (input, pointer) = try Self.opened(source, ContainerFormat(mediaType)?.pointer, limits)
        self.source = source
        self.limits = limits
    }

    private typealias Opened = (SourceInput, UnsafeMutablePointer<AVFormatContext>)

    /// FFmpeg 7 refuses files whose clean aperture or crop leaves nothing of a frame: such files are opened without it.
    private static func opened(
        _ source: Source, _ format: UnsafePointer<AVInputFormat>?, _ limits: Limits
    ) throws(Failure) -> Opened {
        do throws(Failure) {
            return try opened(source, format, limits, changes: [:])
        } catch {
            let changes = error.code == .corrupt ? bytesWithoutCrops(source) : [:]
            if changes.isEmpty { throw error }
            FFmpegLog.clear()
            return try opened(source, format, limits, changes: changes)
        }
    }

    private static func opened(
        _ source: Source, _ format: UnsafePointer<AVInputFormat>?, _ limits: Limits, changes: [Int64: UInt8]
    ) throws(Failure) -> Opened {
        let input = try SourceInput(source, byteLimit: limits.posterReadByteCount, changes: changes)
        do throws(FFmpegError) {
            return (input, try open(input, format, limits))
        } catch {
            throw input.isExhausted ? .tooMuchToRead(limits.posterReadByteCount) : error.failure(in: "open")
        }
    }

    /// Bytes to read instead of the source's bytes: `clap` boxes renamed to `free`, and `PixelCrop…` elements set to 0.
    private static func bytesWithoutCrops(_ source: Source) -> [Int64: UInt8] {
        var changes: [Int64: UInt8] = [:]
        for place in MovieBox(in: source)?.cleanAperturePlaces ?? [] {
            for (offset, letter) in "free".utf8.enumerated() { changes[place + Int64(offset)] = letter }
        }
        let crops = try? MatroskaTracks(in: source)?.cropPlaces()
        for place in (crops ?? []).joined() { changes[place] = 0 }
        return changes
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = pointer
        avformat_close_input(&context)
    }

    private static func open(
        _ input: SourceInput, _ format: UnsafePointer<AVInputFormat>?, _ limits: Limits
    ) throws(FFmpegError) -> UnsafeMutablePointer<AVFormatContext> {
        var context = avformat_alloc_context()
        guard let allocated = context else { throw FFmpegError(code: cffmpeg_error_memory) }
        allocated.pointee.pb = input.pointer
        allocated.pointee.io_open = { _, _, _, _, _ in cffmpeg_error_refused }
        allocated.pointee.max_streams = Int32(clamping: limits.streamCount)
        let options = OptionList([
            "format_whitelist": ContainerFormat.allowList, "protocol_whitelist": "none",
            "probesize": "\(probeByteCount)", "analyzeduration": "\(analysisMicroseconds)",
            // Chapter pictures and texts would be read from all over the file.
            "ignore_chapters": "1",
        ])
        // Frees the context if it fails.
        try FFmpegError.check(avformat_open_input(&context, "", format, &options.pointer))
        return context!
    }

    /// The number of bytes that `analyse` reads: enough for the start of a 50 Mbit/s transport stream.
    private static let probeByteCount = 5 << 20
    private static let analysisMicroseconds = 3_000_000

    var streams: [Stream] {
        (0..<Int(pointer.pointee.nb_streams)).compactMap { pointer.pointee.streams[$0].map(Stream.init) }
    }

    /// The duration in seconds; `nil` if the container does not state it.
    var duration: Double? {
        if let whole = StreamTime(pointer.pointee.duration), whole > .zero {
            return TimeBase(1, over: AV_TIME_BASE).seconds(whole)
        }
        if isMovie, let duration = MovieBox(in: source)?.duration { return duration }
        return streams.compactMap(\.duration).max()
    }

    var title: String? {
        av_dict_get(pointer.pointee.metadata, "title", nil, 0).map { String(cString: $0.pointee.value) }
    }

    /// Reads packets until codecs and sizes are known, for containers whose header lacks them.
    ///
    /// - Throws: `tooLarge` over a limit, `corrupt`.
    func analyse() throws(Failure) {
        let count = Int(pointer.pointee.nb_streams)
        // `avformat_find_stream_info` opens its own decoders, which need the limit on pixels.
        let options = (0..<count).map { _ in
            OptionList(["max_pixels": "\(limits.framePixelCount)", "threads": "1"])
        }
        // One extra, because an empty array has no address.
        var pointers = options.map(\.pointer) + [nil]
        let result = avformat_find_stream_info(pointer, &pointers)
        for index in options.indices { options[index].pointer = pointers[index] }
        guard result < 0 else { return }
        throw input.isExhausted
            ? .tooMuchToRead(limits.posterReadByteCount) : FFmpegError(code: result).failure(in: "analyse")
    }

    /// FFmpeg's name of the demuxer.
    var formatName: String { String(cString: pointer.pointee.iformat.pointee.name) }

    private static let movie = "mov,mp4,m4a,3gp,3g2,mj2"
    private static let matroska = "matroska,webm"

    /// The number of bytes of the source that FFmpeg has read.
    var readByteCount: UInt64 { input.readByteCount }

    /// Whether this is MP4, QuickTime or a related format.
    var isMovie: Bool { formatName == Self.movie }

    /// The way in which the container asks to show a stream's frames.
    ///
    /// - Parameter readsCrops: whether `MovieBox` and `MatroskaTracks` are read for the crops that FFmpeg ignores.
    func display(of stream: Stream, readsCrops: Bool) -> StreamDisplay {
        guard readsCrops else { return StreamDisplay(of: stream) }
        if isMovie {
            return StreamDisplay(of: stream, clap: MovieBox(in: source)?.cleanAperture(ofTrack: stream.number))
        }
        guard formatName == Self.matroska else { return StreamDisplay(of: stream) }
        // FFmpeg does not pass on Matroska's track numbers, so picture streams are counted.
        let tracks = streams.filter { $0.isPicture && !$0.isCover }
        let video = tracks.firstIndex { $0.index == stream.index }
        return StreamDisplay(of: stream, matroska: video.flatMap { MatroskaVideo(ofVideoTrack: $0, in: source) })
    }

    /// Whether the file's timestamps count from 0. They do not in a recording that keeps the timestamps of a longer
    /// programme.
    var countsFromZero: Bool { formatName == Self.matroska && streams.allSatisfy { $0.startTime == nil } }

    /// Whether each packet is a whole frame, as in containers that index their samples. FFmpeg's parsers, which split
    /// the streams of other containers, may return the two fields of a frame as two packets.
    var hasWholeFrames: Bool {
        [Self.movie, Self.matroska, "avi", "flv", "asf"].contains(formatName)
    }

    /// The next packet of any enabled stream; `nil` at the end, or if the file is truncated here.
    ///
    /// - Throws: `tooLarge` if the byte budget is spent.
    func nextPacket() throws(Failure) -> Packet? {
        let packet = try Packet()
        let result = av_read_frame(pointer, packet.pointer)
        if result >= 0 { return packet }
        if input.isExhausted { throw .tooMuchToRead(limits.posterReadByteCount) }
        if result == cffmpeg_error_memory { throw FFmpegError(code: result).failure(in: "read") }
        return nil
    }

    /// Seeks to the last key frame at or before `time`; returns whether the container can do this.
    func seek(_ stream: Stream, to time: StreamTime) -> Bool {
        av_seek_frame(pointer, Int32(stream.index), time.units, AVSEEK_FLAG_BACKWARD) >= 0
    }

    /// Seeks to the first key packet at or after a time; returns whether the container can do this.
    func seekForward(_ stream: Stream, to time: StreamTime) -> Bool {
        av_seek_frame(pointer, Int32(stream.index), time.units, 0) >= 0
    }

    /// Seeks to the first packet; returns whether the container can do this. Without an index, seeking by time is
    /// inexact, so this seeks to the first byte.
    func rewind(_ stream: Stream) -> Bool {
        if hasWholeFrames { return seek(stream, to: stream.startTime ?? .zero) }
        return av_seek_frame(pointer, Int32(stream.index), 0, AVSEEK_FLAG_BYTE) >= 0
            || seek(stream, to: stream.startTime ?? .zero)
    }
}
