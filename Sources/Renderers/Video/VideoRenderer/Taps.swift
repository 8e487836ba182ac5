/// The weights with which one side of a picture is resampled: for every new pixel, a run of old ones.
///
/// The kernel is Catmull–Rom's cubic (Keys, "Cubic convolution interpolation", 1981, a = −½), widened by the shrink, so
/// that all old pixels count. At the edges weights of pixels that are not there go to the others.
struct Taps {
    /// The first old pixel of each new one.
    let first: [Int]
    /// The weights of each new pixel, one run of `length` after the other; each run's sum is 1.
    let weights: [Float]
    let length: Int

    init(from oldCount: Int, to newCount: Int) {
        let scale = Double(oldCount) / Double(newCount)
        let width = max(1, scale)
        length = min(oldCount, Int((4 * width).rounded(.up)) + 1)
        var first: [Int] = []
        var weights: [Float] = []
        for place in 0..<newCount {
            let centre = (Double(place) + 0.5) * scale - 0.5
            let start = min(max(0, Int((centre - 2 * width).rounded(.up))), oldCount - length)
            let run = (start..<start + length).map { Self.kernel((Double($0) - centre) / width) }
            let sum = run.reduce(0, +)
            first.append(start)
            weights += run.map { Float($0 / sum) }
        }
        self.first = first
        self.weights = weights
    }

    private static func kernel(_ distance: Double) -> Double {
        let x = abs(distance)
        if x >= 2 { return 0 }
        return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2
    }
}
