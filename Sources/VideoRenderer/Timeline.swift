internal import CFFmpeg
internal import Media

/// When a video's frames are shown, counted from the beginning of what is played: of the picture or of the sound, whichever
/// comes first.
struct Timeline {
    private let stream: Stream
    /// The beginning, in units of the stream; `nil` where the container does not tell it before it is read.
    private let origin: Int64?

    init(of stream: Stream, in container: Container) {
        self.stream = stream
        let starts = container.streams.filter { $0.isMovingPicture || $0.isSound }.map { other in
            // A movie's track begins with the movie where its edit list says nothing else.
            other.startTime.map(other.seconds) ?? (container.isMovie ? 0 : nil)
        }
        if let own = stream.startTime {
            origin = min(own, stream.units(starts.compactMap { $0 }.min() ?? 0))
        } else {
            origin = container.countsFromZero ? 0 : nil
        }
    }

    /// The stream's own time of a moment, given the time of its first frame.
    func time(of seconds: Double, first: Int64) -> Int64 { max(first, (origin ?? first) + stream.units(seconds)) }

    /// The moment at which a frame is shown, in seconds.
    func seconds(of frame: Frame, first: Int64) -> Double {
        max(0, stream.seconds((frame.time ?? first) - (origin ?? first)))
    }
}
