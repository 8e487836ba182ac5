internal import Media

/// The moment that a request asks for, in units of a stream.
struct PosterTime {
    private let stream: Stream
    /// `nil` where the first frame is wanted.
    let ticks: Int64?

    init(_ position: TimePosition, in container: Container, _ stream: Stream) {
        self.stream = stream
        let seconds: Double
        switch position {
        case .poster: seconds = 0
        case .milliseconds(let count): seconds = Double(count) / 1000
        case .permille(let count): seconds = Double(count) / 1000 * (container.duration ?? 0)
        }
        ticks = seconds > 0 ? (stream.startTime ?? 0) + stream.units(min(seconds, container.duration ?? seconds)) : nil
    }

    /// When a frame is shown, in seconds from the start.
    func seconds(of frame: Frame) -> Double {
        guard let time = frame.time else { return 0 }
        return max(0, stream.seconds(time - (stream.startTime ?? min(0, time))))
    }
}
