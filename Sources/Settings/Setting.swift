/// A thing that can be set by flag, environment or file, with its default: the one place that lists it.
public enum Setting: String, CaseIterable, Sendable {
    case cache
    case cacheBudget = "cache-budget"
    case jobs
    case timeout
    case memory
    case memoryBudget = "memory-budget"
    case maxPixels = "max-pixels"
    case maxWholePixels = "max-whole-pixels"
    case maxFramePixels = "max-frame-pixels"
    case maxStreams = "max-streams"
    case maxPosterRead = "max-poster-read"
    case maxInput = "max-input"
    case maxUnhashed = "max-unhashed"
    case controlGroup = "control-group"
    case requireSandbox = "require-sandbox"

    /// The environment's variable: `COMPASS_` and the name.
    public var variable: String { "COMPASS_" + rawValue.uppercased().replacing("-", with: "_") }

    /// One line for `compass config` and the manual.
    public var summary: String {
        switch self {
        case .cache: "folder of the cache"
        case .cacheBudget: "bytes that the cache may take; the least recently used renditions go first"
        case .jobs: "files worked on at once"
        case .timeout: "seconds that one file may take"
        case .memory: "bytes of private memory that one file may take"
        case .memoryBudget: "bytes of private memory that all files in work may take together; half: of the machine's"
        case .maxPixels: "pixels of a picture that is decoded in strips (JPEG, plain PNG, TIFF)"
        case .maxWholePixels: "pixels of a picture that must be whole in memory (GIF, WebP, HEIC, AVIF, …)"
        case .maxFramePixels: "pixels of one video frame"
        case .maxStreams: "streams in a video's container"
        case .maxPosterRead: "bytes read from a video to find its picture"
        case .maxInput: "bytes taken from standard input"
        case .controlGroup: "yes: the renderers get a control group with a bound on their memory (needs delegation)"
        case .requireSandbox: "yes: open nothing where the machine lacks a layer of the sandbox"
        case .maxUnhashed: "bytes up to which a file's digest is computed at once"
        }
    }
}

extension String {
    fileprivate func replacing(_ old: Character, with new: Character) -> String {
        String(map { $0 == old ? new : $0 })
    }
}
