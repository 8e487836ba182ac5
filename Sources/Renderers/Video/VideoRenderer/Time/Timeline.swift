internal import CFFmpeg
internal import Media

/// When a video's frames are shown, counted from the beginning of what is played: of the picture or of the sound, whichever
/// comes first.
struct Timeline {
    private let stream: Stream
    /// The beginning; `nil` where the container does not tell it before it is read.
    private let origin: StreamTime?

    init(of stream: Stream, in container: Container) {
        self.stream = stream
        let starts = container.streams.filter { $0.isMovingPicture || $0.isSound }.map { other in
            // A movie's track begins with the movie where its edit list says nothing else.
            other.startTime.map(other.timeBase.seconds) ?? (container.isMovie ? 0 : nil)
        }
        if let own = stream.startTime {
            origin = min(own, stream.timeBase.time(ofSeconds: starts.compactMap { $0 }.min() ?? 0))
        } else {
            origin = container.countsFromZero ? .zero : nil
        }
    }

    /// The stream's own time of a moment, given the time of its first frame.
    func time(of seconds: Double, first: StreamTime) -> StreamTime {
        max(first, (origin ?? first) + stream.timeBase.time(ofSeconds: seconds))
    }

    /// The moment at which a frame is shown, in seconds.
    func seconds(of frame: Frame, first: StreamTime) -> Double {
        max(0, stream.timeBase.seconds((frame.time ?? first) - (origin ?? first)))
    }
}
