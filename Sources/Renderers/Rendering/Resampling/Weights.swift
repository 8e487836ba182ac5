/// The weights for resampling one side of a picture: for every new sample, a run of old samples.
///
/// The weights of a run add up to 1. At the edges, the weights of samples beyond the picture go to the other samples.
package struct Weights: Sendable {
    /// The old samples that make up one new sample.
    package struct Run: Sendable {
        /// The first old sample.
        package let first: Int
        /// The run's part of `values`: a weight for each old sample from `first` on.
        package let places: Range<Int>
    }

    /// One run for each new sample.
    package private(set) var runs: [Run] = []
    /// The weights of all runs, one run after another.
    package private(set) var values: [Float] = []
    /// The length of the longest run.
    package private(set) var longestRun = 0
    /// Whether every new sample equals an old sample.
    package private(set) var isIdentity = false

    /// Weights by a kernel: `kernel` if the side shrinks, Catmull and Rom's if it grows.
    ///
    /// - Parameters:
    ///   - kernel: the kernel, widened by the shrink factor so that all old samples count.
    ///   - count: the number of old samples.
    ///   - extent: the length of the picture's whole side in old samples.
    ///   - newCount: the number of new samples of the whole side.
    ///   - kept: the new samples that are wanted.
    package init(
        _ kernel: ResamplingKernel, from count: Int, extent: Double, to newCount: Int, keeping kept: Range<Int>
    ) {
        let scale = extent / Double(newCount)
        if count == newCount, scale == 1 {
            isIdentity = true
            for place in kept { append(from: place, [1]) }
            return
        }
        let kernel = scale > 1 ? kernel : .catmullRom
        let stretch = max(1, scale)
        let reach = kernel.radius * stretch
        let length = min(count, Int(reach * 2) + 1)
        runs.reserveCapacity(kept.count)
        values.reserveCapacity(kept.count * length)
        var run = [Double](repeating: 0, count: length)
        for place in kept {
            let centre = (Double(place) + 0.5) * scale - 0.5
            let first = min(max(0, Int((centre - reach).rounded(.up))), count - length)
            kernel.sample(into: &run, from: first, centre: centre, stretch: stretch)
            let sum = run.reduce(0, +)
            append(from: first, run.lazy.map { Float($0 / sum) })
        }
    }

    private init() {}

    /// Weights of averages by area: each old sample counts by the share of the new sample that it covers.
    ///
    /// Such averages neither ring nor miss a thin line at any scale.
    ///
    /// - Parameters:
    ///   - count: the number of new samples.
    ///   - start: where the first new sample begins on the old side.
    ///   - step: the length of a new sample in old samples; at least 1.
    ///   - limit: the number of old samples.
    ///   - unit: a power of two; every weight is a multiple of 1 / `unit`.
    package static func area(count: Int, start: Double, step: Double, limit: Int, unit: Int) -> Weights {
        var weights = Weights()
        for index in 0..<count {
            let begin = min(max(0, start + Double(index) * step), Double(limit - 1))
            let end = min(Double(limit), max(begin + 1e-6, start + Double(index + 1) * step))
            weights.append(from: Int(begin), areas(from: begin, to: end, unit: unit))
        }
        return weights
    }

    private static func areas(from begin: Double, to end: Double, unit: Int) -> [Float] {
        let first = Int(begin)
        let last = max(first, Int(end.rounded(.up)) - 1)
        var given = 0
        // Differences of rounded sums, so that the weights add up exactly.
        return (first...last).map { sample in
            let covered = (min(Double(sample + 1), end) - begin) / (end - begin)
            let sum = sample == last ? unit : Int((covered * Double(unit)).rounded())
            defer { given = sum }
            return Float(sum - given) / Float(unit)
        }
    }

    private mutating func append(from first: Int, _ run: some Collection<Float>) {
        runs.append(Run(first: first, places: values.count..<values.count + run.count))
        values += run
        longestRun = max(longestRun, run.count)
    }
}
