internal import Media

/// The options of a loader: page, shrink and strictness.
struct LoadOptions {
    /// Whether a damaged file is still shown. The values are those of `VipsFailOn`.
    enum Damage: Int {
        case isShown = 0
        case failsWhereTruncated = 1
    }

    var damage = Damage.failsWhereTruncated
    var pageIndex: Int?
    var shrink: Shrink = .none

    /// How a loader shrinks a picture while it decodes.
    enum Shrink: Equatable {
        case none
        /// JPEG: by 2, 4 or 8, omitting high frequencies.
        case jpeg(Int)
        /// WebP, SVG: by any factor.
        case scale(Double)
        /// JPEG 2000: by this number of halvings, omitting resolution levels.
        case levels(Int)
        /// HEIF: the embedded thumbnail.
        case thumbnail

        /// The description for `--explain`.
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
