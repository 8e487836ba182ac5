import Rendering
import TestDeadline
import Testing

@Suite("Weights of an average by area", .deadline)
struct AreaWeightsTests {
    @Test("At half the length both old samples of a pair count alike")
    func pairs() {
        let weights = Weights.area(count: 3, start: 0, step: 2, limit: 6, unit: 256)
        #expect(weights.runs.map(\.first) == [0, 2, 4])
        #expect(weights.values == [0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
    }

    @Test("A sample that is half covered counts half")
    func fractions() {
        let weights = Weights.area(count: 2, start: 0, step: 1.5, limit: 3, unit: 256)
        #expect(weights.runs.map(\.first) == [0, 1])
        #expect(weights.values.map { $0 * 256 } == [171, 85, 85, 171])
    }

    @Test(
        "Every run's weights add up to 1, and the run lies within the old side",
        arguments: [(10, 0.0, 1.0), (7, 0.3, 13.37), (500, -0.2, 2.0001), (3, 5.9, 400)])
    func sums(count: Int, start: Double, step: Double) {
        let limit = Int((start + Double(count) * step).rounded(.up))
        let weights = Weights.area(count: count, start: start, step: step, limit: limit, unit: 65536)
        #expect(weights.runs.count == count)
        for run in weights.runs {
            // Multiples of 2⁻¹⁶, whose sums floating point holds exactly.
            #expect(weights.values[run.places].reduce(0, +) == 1)
            #expect(run.first >= 0 && run.first + run.places.count <= limit)
        }
    }
}
