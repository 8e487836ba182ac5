internal import Glibc

/// The weights with which one side of a plane is resampled: for every new sample, a run of old ones.
///
/// The kernel is Lanczos' of three lobes where the side shrinks, and Catmull and Rom's cubic (Keys, “Cubic convolution
/// interpolation”, 1981, a = −½) where it grows. At the edges the weights of samples that are not there go to the others.
struct Weights {
    /// The first old sample of each new one.
    let first: [Int]
    /// The weights of each new sample, one run of `length` after the other; each run's sum is 1.
    let values: [Float]
    /// Of a run; a multiple of four unless it is 1.
    let length: Int

    /// - Parameters:
    ///   - count: of old samples.
    ///   - extent: how many old samples the picture's whole side is.
    ///   - newCount: how many new samples that is.
    ///   - kept: the new samples that are wanted.
    init(from count: Int, extent: Double, to newCount: Int, keeping kept: Range<Int>) {
        let scale = extent / Double(newCount)
        if count == newCount, scale == 1 {
            (first, values, length) = (Array(kept), Array(repeating: 1, count: kept.count), 1)
            return
        }
        let kernel = scale > 1 ? Kernel.lanczos : .cubic
        let stretch = max(1, scale)
        let reach = kernel.radius * stretch
        let span = min(count, Int(reach * 2) + 1)
        length = (span + 3) & ~3
        var first: [Int] = []
        var values: [Float] = []
        first.reserveCapacity(kept.count)
        values.reserveCapacity(kept.count * length)
        for place in kept {
            let centre = (Double(place) + 0.5) * scale - 0.5
            let start = min(max(0, Int((centre - reach).rounded(.up))), count - span)
            let run = (start..<start + span).map { kernel.value(abs(Double($0) - centre) / stretch) }
            let sum = run.reduce(0, +)
            first.append(start)
            values += run.map { Float($0 / sum) }
            values += repeatElement(0, count: length - span)
        }
        (self.first, self.values) = (first, values)
    }
}

/// A symmetrical function of the distance between an old and a new sample, in samples of the coarser of both.
private enum Kernel {
    case lanczos
    case cubic

    /// Where it ends.
    var radius: Double { self == .lanczos ? 3 : 2 }

    /// sin(3t) sin(t) / 3t², with sin(3t) as 3 sin(t) − 4 sin³(t): one sine instead of two.
    private static func lanczos(_ t: Double) -> Double {
        let ratio = sin(t) / t
        let square = ratio * t * ratio * t
        return ratio * ratio * (3 - 4 * square) / 3
    }

    func value(_ x: Double) -> Double {
        switch self {
        case .lanczos: x < 1e-9 ? 1 : x < 3 ? Self.lanczos(.pi * x / 3) : 0
        case .cubic: x < 1 ? (1.5 * x - 2.5) * x * x + 1 : x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
        }
    }
}
