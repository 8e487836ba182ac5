internal import CFFmpeg
internal import Media

/// Packets fed to the decoder until it gives a sound frame.
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
