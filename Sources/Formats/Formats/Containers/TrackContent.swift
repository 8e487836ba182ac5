/// What a movie's tracks hold, as far as that can be told.
enum TrackContent {
    case video
    /// Sound, and no moving picture.
    case audio
    /// Tracks of other kinds only: captions, measurements.
    case neither
    /// No track list was found, or not all of it can be read.
    case unknown

    var hasVideo: Bool? {
        switch self {
        case .video: true
        case .audio, .neither: false
        case .unknown: nil
        }
    }
}
