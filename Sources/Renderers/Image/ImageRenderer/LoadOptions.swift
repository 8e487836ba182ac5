internal import Media

/// What a loader is asked to do beyond opening: which page, how small, how strict.
struct LoadOptions {
    /// What of a damaged file is still shown.
    enum Damage: Int {
        // VipsFailOn's values.
        case isShown = 0
        case failsWhereTruncated = 1
    }

    var damage = Damage.failsWhereTruncated
    var pageIndex: Int?
    var shrink: Shrink = .none

    /// How a loader makes a picture smaller while it decodes.
    enum Shrink: Equatable {
        case none
        /// JPEG: 2, 4 or 8 times, by leaving out frequencies.
        case jpeg(Int)
        /// WebP, SVG: by any factor.
        case scale(Double)
        /// JPEG 2000: by so many halvings, leaving out resolution levels.
        case levels(Int)
        /// HEIF: the embedded thumbnail.
        case thumbnail

        /// For a person who asks.
        var words: String {
            switch self {
            case .none: "whole"
            case .jpeg(let factor): "\(factor) times smaller by leaving out frequencies"
            case .scale(let factor): "at \(factor) by its own scaler"
            case .levels(let count): "\(count) resolution levels left out"
            case .thumbnail: "the embedded thumbnail"
            }
        }
    }

    func applied(to operation: VipsOperation) -> VipsOperation {
        var operation = operation.with("fail-on", .integer(damage.rawValue))
        if let pageIndex { operation = operation.with("page", .integer(pageIndex)) }
        switch shrink {
        case .none: return operation
        case .jpeg(let factor): return operation.with("shrink", .integer(factor))
        case .scale(let factor): return operation.with("scale", .number(factor))
        case .levels(let count): return operation.with("page", .integer(count))
        case .thumbnail: return operation.with("thumbnail", .flag(true))
        }
    }
}
