/// The kinds of media in a container's tracks.
enum TrackContent {
    case video
    /// Sound without video.
    case audio
    /// Only tracks of other kinds, such as captions and timed metadata.
    case neither
    /// The list of tracks is absent or not fully readable.
    case unknown

    var hasVideo: Bool? {
        switch self {
        case .video: true
        case .audio, .neither: false
        case .unknown: nil
        }
    }
}
