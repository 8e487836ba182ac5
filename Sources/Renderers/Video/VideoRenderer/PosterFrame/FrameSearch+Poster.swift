internal import Media

/// What is shown instead of a blank beginning.
extension FrameSearch {
    /// A frame that shows something: the first such key frame among the few that are tried, or where there is none, as in
    /// a clip of one group of pictures, a frame from the beginning on. `nil` where neither is found, or looking fails: the
    /// first frame then stands.
    mutating func frameWithContent(after first: Frame) -> Frame? {
        if let frame = keyFrameWithContent(after: first) { return frame }
        return try? frameWithContentFromStart()
    }

    /// Where a key frame is looked for, in seconds after the first frame: near it first, then ever farther.
    private static let places: [Double] = [0.5, 1, 2, 3, 5, 8, 13, 21, 34, 55]

    /// While a picture still fades in, a later one shows more of it: that one is taken, if it comes soon.
    private mutating func keyFrameWithContent(after first: Frame) -> Frame? {
        let start = stream.startTime ?? first.time ?? .zero
        var latest = first.time ?? start
        var candidate: (frame: Frame, contrast: Double, time: StreamTime)?
        for seconds in Self.places {
            let place = start + span(seconds)
            if place <= latest { continue }
            if let candidate, place > candidate.time + span(Self.longestFade) { break }
            guard let frame = try? keyFrame(at: place), let time = frame.time else { break }
            if time <= latest { continue }
            latest = time
            // A container may mark what leans on earlier frames as a key, which after a leap shows remains of both.
            if !frame.isKey || frame.isBlank { continue }
            let contrast = frame.contrast
            if let candidate, contrast < candidate.contrast * Self.fadeStep { break }
            candidate = (frame, contrast, candidate?.time ?? time)
            if contrast > Self.fullContrast { break }
        }
        return candidate?.frame
    }

    /// A picture with as much contrast is not in the middle of a fade.
    private static let fullContrast = 0.8
    /// By how much contrast must have grown for a fade to go on.
    private static let fadeStep = 1.15
    /// How long after the first frame that shows something a fade is followed, in seconds.
    private static let longestFade = 3.0

    /// The first key frame at or after a time.
    private mutating func keyFrame(at time: StreamTime) throws(Failure) -> Frame? {
        guard container.seekForward(stream, to: time) else { return nil }
        decoder.flush()
        return try firstFrame(from: .firstKey)
    }

    /// Pixels that are decoded at most, frame after frame: 200 frames of 1080p.
    private static let longestRun = 400_000_000
    /// As a rule a fade is over so long after something can be seen, in seconds.
    private static let restOfFade = 1.0

    /// The frame a second after the first that shows something, or the last before the run or the stream ends.
    private mutating func frameWithContentFromStart() throws(Failure) -> Frame? {
        try rewind()
        var pixelCount = 0
        var candidate: (frame: Frame, goodFrom: StreamTime)?
        var isAtEnd = false
        while !isAtEnd, pixelCount < Self.longestRun {
            let packet = try nextPacket()
            isAtEnd = packet == nil
            try decoder.send(packet)
            while let frame = try decoder.receive() {
                pixelCount += frame.size.pixelCount
                let time = frame.time ?? .zero
                if let (_, goodFrom) = candidate {
                    candidate = (frame, goodFrom)
                    if time >= goodFrom { return frame }
                } else if !frame.isBlank {
                    candidate = (frame, time + span(Self.restOfFade))
                }
            }
        }
        return candidate?.frame
    }
}
