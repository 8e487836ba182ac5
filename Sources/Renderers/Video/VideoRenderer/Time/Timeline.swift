internal import CFFmpeg
internal import Media

/// Converts a stream's times to seconds from the start of the video: of its picture or its audio, whichever is first.
struct Timeline {
    private let stream: Stream
    /// The start; `nil` if the container's header does not state it.
    private let origin: StreamTime?

    init(of stream: Stream, in container: Container) {
        self.stream = stream
        let starts = container.streams.filter { $0.isMovingPicture || $0.isSound }.map { other in
            // A movie's track starts with the movie, unless its edit list delays it.
            other.startTime.map(other.timeBase.seconds) ?? (container.isMovie ? 0 : nil)
        }
        if let own = stream.startTime {
            origin = min(own, stream.timeBase.time(ofSeconds: starts.compactMap { $0 }.min() ?? 0))
        } else {
            origin = container.countsFromZero ? .zero : nil
        }
    }

    /// The stream's time after a number of seconds.
    ///
    /// - Parameter first: the time of the stream's first frame.
    func time(of seconds: Double, first: StreamTime) -> StreamTime {
        max(first, (origin ?? first) + stream.timeBase.time(ofSeconds: seconds))
    }

    /// The display time of a frame, in seconds.
    ///
    /// - Parameter first: the time of the stream's first frame.
    func seconds(of frame: Frame, first: StreamTime) -> Double {
        max(0, stream.timeBase.seconds((frame.time ?? first) - (origin ?? first)))
    }
}
