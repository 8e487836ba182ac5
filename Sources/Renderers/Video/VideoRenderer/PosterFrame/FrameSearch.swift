internal import CFFmpeg
internal import Media

/// Finds the poster frame, or the frame at a time, and decodes as few packets as possible.
///
/// A search begins at a key frame. The bytes that `SourceInput` allows and a packet limit bound it.
struct FrameSearch {
    let container: Container
    let stream: Stream
    let decoder: Decoder
    private let packetLimit: Int
    private(set) var packetCount = 0

    /// Prepares a search.
    ///
    /// - Parameter decoder: a decoder open for `stream`, the only enabled stream of `container`.
    init(in container: Container, _ stream: Stream, _ decoder: Decoder, packetLimit: Int = 20_000) {
        self.container = container
        self.stream = stream
        self.decoder = decoder
        self.packetLimit = packetLimit
    }

    /// The first frame to be shown.
    ///
    /// - Throws: `corrupt` if none can be decoded, `encrypted`, `tooLarge` if a budget is spent.
    mutating func firstFrame() throws(Failure) -> Frame {
        if let frame = try firstFrame(from: .firstKey) { return frame }
        // Some writers mark no key frames, or the only key frame is damaged: a frame with errors is better than none.
        try rewind()
        if let frame = try firstFrame(from: .firstPacket) { return frame }
        throw noFrame
    }

    /// Sends the first key packet to the decoder, which reads its headers, and returns the packet; `nil` if there is
    /// none.
    ///
    /// - Throws: `encrypted`, and `corrupt` or `tooLarge` if a budget is spent.
    mutating func readHeaders() throws(Failure) -> Packet? {
        while let packet = try nextPacket() {
            if !packet.isKey { continue }
            try decoder.send(packet)
            _ = try decoder.receive()
            return packet
        }
        return nil
    }

    /// The place where decoding begins.
    enum Start {
        case firstKey
        case firstPacket
    }

    /// Seconds as a span of the stream's time.
    func span(_ seconds: Double) -> StreamTime { stream.timeBase.time(ofSeconds: seconds) }

    /// The failure if no frame was decoded, with the decoder's reason.
    var noFrame: Failure {
        if let error = decoder.lastError { return error.failure(in: "decode") }
        return Failure(.corrupt, detail: packetCount == 0 ? "no frame: no packet" : "no frame: \(FFmpegLog.lastError)")
    }

    /// The next packet of the stream; `nil` at the end.
    ///
    /// - Throws: `encrypted`, and `corrupt` or `tooLarge` if a budget is spent.
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

    /// The first frame without errors from the current place on, otherwise the first with errors; `nil` if no frame is
    /// decoded.
    mutating func firstFrame(from start: Start) throws(Failure) -> Frame? {
        var decoding = FirstFrameDecoding(decoder, packetsBeforeDraining: container.hasWholeFrames ? 1 : 2)
        while let packet = try nextPacket() {
            if start == .firstKey, decoding.isEmpty, !packet.isKey { continue }
            if let frame = try decoding.frame(after: packet) { return frame }
        }
        return try decoding.lastFrame()
    }
}
