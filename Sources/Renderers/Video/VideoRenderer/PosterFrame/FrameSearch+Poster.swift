internal import Media

extension FrameSearch {
    /// The poster frame if the first frame is blank: the first key frame with content at a few tried places. Otherwise,
    /// as in a clip with a single group of pictures, a frame found by decoding from the start.
    ///
    /// `nil` if neither is found, or the search fails: then the first frame is the poster frame.
    mutating func frameWithContent(after first: Frame) -> Frame? {
        if let frame = keyFrameWithContent(after: first) { return frame }
        return try? frameWithContentFromStart()
    }

    /// The tried places, in seconds after the first frame.
    private static let places: [Double] = [0.5, 1, 2, 3, 5, 8, 13, 21, 34, 55]

    /// A key frame with content; for a picture that fades in, a later key frame if one follows soon.
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
            // A container may mark a frame that refers to earlier frames as a key frame: after a seek its picture is a
            // mixture.
            if !frame.isKey || frame.isBlank { continue }
            let contrast = frame.contrast
            if let candidate, contrast < candidate.contrast * Self.fadeStep { break }
            candidate = (frame, contrast, candidate?.time ?? time)
            if contrast > Self.fullContrast { break }
        }
        return candidate?.frame
    }

    /// A contrast that ends the search for a fade's end.
    private static let fullContrast = 0.8
    /// The least growth of contrast while a fade lasts.
    private static let fadeStep = 1.15
    /// The time for which a fade is followed after the first frame with content, in seconds.
    private static let longestFade = 3.0

    /// Seeks to the first key frame at or after a time, and decodes it.
    private mutating func keyFrame(at time: StreamTime) throws(Failure) -> Frame? {
        guard container.seekForward(stream, to: time) else { return nil }
        decoder.flush()
        return try firstFrame(from: .firstKey)
    }

    /// The maximum number of pixels decoded from the start: 200 frames of 1080p.
    private static let longestRun = 400_000_000
    /// The duration of most fades after the first frame with content, in seconds.
    private static let restOfFade = 1.0

    /// The frame one second after the first frame with content, or the last decoded frame before that.
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
