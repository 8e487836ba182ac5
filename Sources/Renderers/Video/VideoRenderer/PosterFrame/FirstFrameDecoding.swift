internal import CFFmpeg
internal import Media

/// Sends packets to a decoder until it returns a frame without errors.
struct FirstFrameDecoding {
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

    /// Sends one more packet; returns the first frame without errors as soon as it is available.
    ///
    /// A decoder that reorders frames delays a key frame until it has seen several more. At the end of the stream it
    /// returns the key frame at once, so the end is signalled early, once. If that yields no frame, or a frame with
    /// errors, all packets are sent again, and the decoder may take further packets.
    mutating func frame(after packet: Packet) throws(Failure) -> Frame? {
        try decoder.send(packet)
        if let frame = try sound(decoder.receive()) { return frame }
        if damaged != nil {
            patience -= 1
            if patience == 0 { return damaged }
        }
        guard isOpen else { return nil }
        packets.append(packet)
        // A frame that an edit list hides is not the first frame to be shown.
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

    /// A frame that the decoder still holds at the end of the stream, otherwise a frame with errors.
    mutating func lastFrame() throws(Failure) -> Frame? {
        try drained() ?? damaged
    }

    private mutating func closed() -> Frame? {
        isOpen = false
        packets = []
        return nil
    }

    /// The key frame among the frames that the decoder still holds, otherwise the first of them. Of two packets, the
    /// second may be shown before the key frame and refer to an earlier picture.
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
