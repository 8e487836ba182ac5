internal import CFFmpeg
internal import Media

/// Finds one frame of a stream with as few packets as will do.
///
/// Both searches begin at a key frame. Budgets bound them: bytes in `SourceInput`, packets here.
struct FrameSearch {
    let container: Container
    let stream: Stream
    let decoder: Decoder
    private let packetLimit: Int
    private(set) var packetCount = 0

    /// - Parameter decoder: open for `stream`, which is the only one of `container` that is not switched off.
    init(in container: Container, _ stream: Stream, _ decoder: Decoder, packetLimit: Int = 20_000) {
        self.container = container
        self.stream = stream
        self.decoder = decoder
        self.packetLimit = packetLimit
    }

    /// The first frame that is shown.
    ///
    /// - Throws: `corrupt` where none can be decoded, `encrypted`, `tooLarge` where a budget ran out.
    mutating func firstFrame() throws(Failure) -> Frame {
        if let frame = try firstFrame(from: .firstKey) { return frame }
        // Some writers mark no key frames, or the only one is past repair: whatever comes out is better than nothing.
        try rewind()
        if let frame = try firstFrame(from: .firstPacket) { return frame }
        throw noFrame
    }

    /// Gives the decoder the first key packet, for its headers' sake, and returns it. That there is none is no failure here.
    mutating func readHeaders() throws(Failure) -> Packet? {
        while let packet = try nextPacket() {
            if !packet.isKey { continue }
            try decoder.send(packet)
            _ = try decoder.receive()
            return packet
        }
        return nil
    }

    enum Start {
        case firstKey
        case firstPacket
    }

    /// So many seconds as a span of the stream's time.
    func span(_ seconds: Double) -> StreamTime { stream.timeBase.time(ofSeconds: seconds) }

    var noFrame: Failure {
        if let error = decoder.lastError { return error.failure(in: "decode") }
        return Failure(.corrupt, detail: packetCount == 0 ? "no frame: no packet" : "no frame: \(FFmpegLog.lastError)")
    }

    /// The next packet of the stream; `nil` at the end.
    mutating func nextPacket() throws(Failure) -> Packet? {
        while let packet = try container.nextPacket() {
            guard packet.streamIndex == stream.index else { continue }
            packetCount += 1
            guard packetCount <= packetLimit else {
                throw Failure(.corrupt, detail: "no frame in \(packetLimit) packets")
            }
            if packet.isEncrypted { throw Failure(.encrypted, detail: "the stream is encrypted") }
            return packet
        }
        return nil
    }

    /// The first sound frame from here on; `nil` at the end.
    mutating func firstFrame(from start: Start) throws(Failure) -> Frame? {
        var decoding = FirstFrameDecoding(decoder, packetsBeforeDraining: container.hasWholeFrames ? 1 : 2)
        while let packet = try nextPacket() {
            if start == .firstKey, decoding.isEmpty, !packet.isKey { continue }
            if let frame = try decoding.frame(after: packet) { return frame }
        }
        return try decoding.lastFrame()
    }
}
