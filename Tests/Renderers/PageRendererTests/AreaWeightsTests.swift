import PageRenderer
import Testing

@Suite("Weights of an average by area")
struct AreaWeightsTests {
    @Test("half the length: pairs count alike")
    func pairs() {
        let weights = AreaWeights(length: 3, start: 0, step: 2, limit: 6, total: 256)
        #expect(weights.spans.map(\.first) == [0, 2, 4])
        #expect(weights.weights == [128, 128, 128, 128, 128, 128])
    }

    @Test("a pixel that is half covered counts half")
    func fractions() {
        let weights = AreaWeights(length: 2, start: 0, step: 1.5, limit: 3, total: 300)
        #expect(weights.spans.map(\.first) == [0, 1])
        #expect(weights.weights == [200, 100, 100, 200])
    }

    @Test(
        "every pixel's weights add up, within the line",
        arguments: [(10, 0.0, 1.0), (7, 0.3, 13.37), (500, -0.2, 2.0001), (3, 5.9, 400)])
    func sums(length: Int, start: Double, step: Double) {
        let limit = Int((start + Double(length) * step).rounded(.up))
        let weights = AreaWeights(length: length, start: start, step: step, limit: limit, total: 65536)
        #expect(weights.spans.count == length)
        for span in weights.spans {
            #expect(weights.weights[span.weights].reduce(0, +) == 65536)
            #expect(span.first >= 0 && span.first + span.weights.count <= limit)
        }
    }
}
