internal import CFFmpeg
internal import Media

extension FrameSearch {
    /// The presentation time of the first frame; if the container does not state it, the time of the first packet.
    mutating func startTime() throws(Failure) -> StreamTime {
        if let time = stream.startTime { return time }
        return try nextPacket()?.time ?? .zero
    }

    /// The frame that is shown at a time; past the end, the last frame.
    ///
    /// - Throws: `corrupt` if none can be decoded, `encrypted`, `tooLarge` if a budget is spent.
    mutating func frame(at time: StreamTime, start: StreamTime) throws(Failure) -> Frame {
        // Containers seek by decoding time: with reordered frames, the key frame found may be shown after `time`.
        for margin in container.hasWholeFrames ? [0, 2.0, 10.0] : [1.0, 10.0] {
            let from = max(time - span(margin), start)
            guard container.seek(stream, to: from) else { break }
            decoder.flush()
            let (frame, isEarlyEnough) = try frameFromHere(at: time)
            if let frame, isEarlyEnough { return frame }
        }
        try rewind()
        if let frame = try frameFromHere(at: time).frame { return frame }
        return try firstFrame()
    }

    /// Seeks to the first packet, and resets the decoder.
    mutating func rewind() throws(Failure) {
        decoder.flush()
        decoder.skipsUnneeded = false
        guard container.rewind(stream) else { throw noFrame }
    }

    /// The last frame that is shown at or before `time`, otherwise the first frame after it, and whether it is the
    /// former.
    private mutating func frameFromHere(at time: StreamTime) throws(Failure) -> (frame: Frame?, isEarlyEnough: Bool) {
        var best: Frame?
        var hasBegun = false
        var isAtEnd = false
        while !isAtEnd {
            let packet = try nextPacket()
            isAtEnd = packet == nil
            if let packet, !hasBegun, !packet.isKey { continue }
            hasBegun = true
            decoder.skipsUnneeded = packet.flatMap(\.time).map { $0 < time - span(0.5) } ?? false
            try decoder.send(packet)
            while let frame = try decoder.receive() {
                // A frame without a time follows the previous frame.
                guard let shown = frame.time ?? best?.time else { continue }
                guard shown <= time else { return (best ?? frame, best != nil) }
                best = frame
                if let duration = frame.duration, shown + duration > time { return (frame, true) }
            }
        }
        return (best, best != nil)
    }
}
