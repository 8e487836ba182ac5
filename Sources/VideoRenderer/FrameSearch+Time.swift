internal import CFFmpeg
internal import Media

extension FrameSearch {
    /// The frame that is shown at a time, in units of the stream; past the end the last one.
    mutating func frame(at time: Int64) throws(Failure) -> Frame {
        // Containers look keys up by the order of decoding: with reordered frames the key found may be shown later than asked.
        for margin in [0, 2.0, 10.0] {
            let start = time - stream.units(margin)
            guard container.seek(stream, to: max(start, stream.startTime ?? 0)) || container.rewind(stream) else {
                break
            }
            decoder.flush()
            let (frame, isEarlyEnough) = try frameFromHere(at: time)
            if let frame, isEarlyEnough || start <= stream.startTime ?? 0 { return frame }
        }
        guard container.rewind(stream) else { throw noFrame }
        decoder.flush()
        return try firstFrame()
    }

    /// The last frame shown at or before `time`, else the first after it, and whether it is one of the former.
    private mutating func frameFromHere(at time: Int64) throws(Failure) -> (frame: Frame?, isEarlyEnough: Bool) {
        var best: Frame?
        var hasBegun = false
        var isAtEnd = false
        while !isAtEnd {
            let packet = try nextPacket()
            isAtEnd = packet == nil
            if let packet, !hasBegun, !packet.isKey { continue }
            hasBegun = true
            decoder.skipsUnneeded = packet.flatMap(\.time).map { $0 < time - stream.units(0.5) } ?? false
            try decoder.send(packet)
            while let frame = try decoder.receive() {
                guard let shown = frame.time, shown <= time else { return (best ?? frame, best != nil) }
                best = frame
                if frame.duration > 0, shown + frame.duration > time { return (frame, true) }
            }
        }
        return (best, best != nil)
    }
}
