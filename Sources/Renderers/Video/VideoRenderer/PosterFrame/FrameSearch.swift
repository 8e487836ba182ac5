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
        var attempt = Attempt(decoder, packetsBeforeDraining: container.hasWholeFrames ? 1 : 2)
        while let packet = try nextPacket() {
            if start == .firstKey, attempt.isEmpty, !packet.isKey { continue }
            if let frame = try attempt.frame(after: packet) { return frame }
        }
        return try attempt.lastFrame()
    }
}

extension FrameSearch {
    /// Packets fed to the decoder until it gives a sound frame.
    private struct Attempt {
        private let decoder: Decoder
        private let packetsBeforeDraining: Int
        private var packets: [Packet] = []
        private var isOpen = true
        private var damaged: Frame?
        private var patience = 60

        init(_ decoder: Decoder, packetsBeforeDraining: Int) {
            self.decoder = decoder
            self.packetsBeforeDraining = packetsBeforeDraining
        }

        var isEmpty: Bool { packets.isEmpty && isOpen }

        /// The first sound frame that is there after one more packet.
        ///
        /// A decoder that reorders holds a key frame back until it has seen several more. Told that the stream ends, it
        /// gives it away at once, which spares decoding those. That is tried once: where nothing comes of it, or a frame with
        /// damage, all packets are fed again and the decoder may take its time.
        mutating func frame(after packet: Packet) throws(Failure) -> Frame? {
            try decoder.send(packet)
            if let frame = try sound(decoder.receive()) { return frame }
            if damaged != nil {
                patience -= 1
                if patience == 0 { return damaged }
            }
            guard isOpen else { return nil }
            packets.append(packet)
            // A hidden frame is not the one to be shown.
            if packets.contains(where: \.isHidden) { return closed() }
            guard packets.count == packetsBeforeDraining else { return nil }
            if let frame = try drained() { return frame }
            decoder.flush()
            for packet in packets {
                try decoder.send(packet)
                if let frame = try sound(decoder.receive()) { return frame }
            }
            return closed()
        }

        /// What is left at the end of the stream.
        mutating func lastFrame() throws(Failure) -> Frame? {
            try drained() ?? damaged
        }

        private mutating func closed() -> Frame? {
            isOpen = false
            packets = []
            return nil
        }

        /// The key frame among what the decoder still has, or else the first. Of two packets the second may be one that is
        /// shown before the key frame but leans on a picture before it.
        private mutating func drained() throws(Failure) -> Frame? {
            try decoder.send(nil)
            var first: Frame?
            while let frame = try decoder.receive() {
                guard let frame = sound(frame) else { continue }
                if frame.isKey { return frame }
                first = first ?? frame
            }
            return first
        }

        private mutating func sound(_ frame: Frame?) -> Frame? {
            guard let frame, frame.isDamaged else { return frame }
            damaged = damaged ?? frame
            return nil
        }
    }
}
