internal import Glibc

/// A resampling kernel: the weight of an old sample by its distance to a new sample, in samples of the coarser grid.
///
/// Kernels are symmetrical. Averages by area have no kernel: their weights are shares of coverage (`Weights.area`).
package enum ResamplingKernel: Sendable {
    /// The Lanczos kernel with three lobes.
    case lanczos
    /// Catmull and Rom's cubic (Keys, “Cubic convolution interpolation”, 1981, a = −½).
    case catmullRom

    /// The distance from which all weights are zero.
    var radius: Double { self == .lanczos ? 3 : 2 }

    /// Samples the kernel at the old samples of a run.
    ///
    /// - Parameters:
    ///   - first: the run's first old sample.
    ///   - centre: the new sample's place among the old ones.
    ///   - stretch: the width of the kernel's unit in old samples.
    func sample(into run: inout [Double], from first: Int, centre: Double, stretch: Double) {
        switch self {
        case .lanczos:
            Self.sampleLanczos(into: &run, from: (Double(first) - centre) / stretch, step: 1 / stretch)
        case .catmullRom:
            for index in run.indices { run[index] = Self.cubic(abs((Double(first + index) - centre) / stretch)) }
        }
    }

    /// sin(3t) sin(t) / 3t², where t is a third of the distance times π, with sin(3t) = 3 sin(t) − 4 sin³(t). Each sine
    /// is computed from the previous sine by the addition theorem, instead of a call.
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
