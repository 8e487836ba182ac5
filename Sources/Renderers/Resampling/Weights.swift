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
        var run = [Double](repeating: 0, count: span)
        for place in kept {
            let centre = (Double(place) + 0.5) * scale - 0.5
            let start = min(max(0, Int((centre - reach).rounded(.up))), count - span)
            kernel.sample(into: &run, from: (Double(start) - centre) / stretch, step: 1 / stretch)
            let sum = run.reduce(0, +)
            first.append(start)
            values += run.lazy.map { Float($0 / sum) }
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

    /// Its values at evenly spaced distances, which may begin below zero.
    func sample(into run: inout [Double], from start: Double, step: Double) {
        switch self {
        case .lanczos: Self.sampleLanczos(into: &run, from: start, step: step)
        case .cubic: for index in run.indices { run[index] = Self.cubic(abs(start + Double(index) * step)) }
        }
    }

    /// sin(3t) sin(t) / 3t², t a third of the distance times π, with sin(3t) as 3 sin(t) − 4 sin³(t); and each sine out of the
    /// one before it, by the sum of angles.
    private static func sampleLanczos(into run: inout [Double], from start: Double, step: Double) {
        var t = start * .pi / 3
        let turn = step * .pi / 3
        var (sine, cosine) = (sin(t), cos(t))
        let (turnSine, turnCosine) = (sin(turn), cos(turn))
        for index in run.indices {
            let square = sine * sine
            run[index] = abs(t) >= .pi ? 0 : abs(t) < 1e-9 ? 1 : square / (t * t) * (1 - square * 4 / 3)
            (sine, cosine) = (sine * turnCosine + cosine * turnSine, cosine * turnCosine - sine * turnSine)
            t += turn
        }
    }

    private static func cubic(_ x: Double) -> Double {
        x < 1 ? (1.5 * x - 2.5) * x * x + 1 : x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
    }
}
