internal import Media

/// The requested time, in seconds from the first frame.
struct PosterTime {
    /// `nil` if the first frame is wanted.
    let seconds: Double?

    init(_ position: TimePosition, in container: Container) {
        let wanted: Double
        switch position {
        case .poster: wanted = 0
        case .milliseconds(let count): wanted = Double(count) / 1000
        case .permille(let count): wanted = Double(count) / 1000 * (container.duration ?? 0)
        }
        seconds = wanted > 0 ? min(wanted, container.duration ?? wanted) : nil
    }
}
