import Media
import TestDeadline
import Testing
import VideoRenderer

@Suite("Tone mapping", .deadline)
struct DisplayMappingTests {
    /// The table in ITU-R BT.2408-7, annex 1, and SMPTE ST 2084's own end points.
    @Test(
        "PQ's curve passes through its published points",
        arguments: [(0.0, 0.0), (1.0, 0.1500), (100.0, 0.5081), (203.0, 0.5807), (1000.0, 0.7518), (10_000.0, 1.0)])
    func pq(light: Double, signal: Double) {
        #expect(abs(TransferCurve.pqSignal(light) - signal) < 0.0005)
        #expect(abs(TransferCurve.pqLight(TransferCurve.pqSignal(light)) - light) < 0.001 + light * 1e-6)
    }

    @Test("HLG's curve passes through its published points")
    func hlg() {
        #expect(TransferCurve.hlgScene(0) == 0)
        #expect(abs(TransferCurve.hlgScene(0.5) - 1.0 / 12) < 1e-9)
        #expect(abs(TransferCurve.hlgScene(1) - 1) < 1e-6)
        // BT.2408: reference white is a signal of 75 %, 26.5 % of the scene's light.
        #expect(abs(TransferCurve.hlgScene(0.75) - 0.265) < 0.001)
    }

    @Test("The curves of sRGB and BT.2020 match their inverses", arguments: [0.0, 0.01, 0.05, 0.18, 0.5, 1])
    func inverses(light: Double) {
        #expect(abs(TransferCurve.srgbLight(TransferCurve.srgbSignal(light)) - light) < 1e-6)
        #expect(abs(TransferCurve.bt709Light(TransferCurve.bt709Signal(light)) - light) < 1e-9)
    }

    @Test("The tone curve keeps dark light, maps the peak to white, and is monotonic", arguments: [400.0, 1000, 4000])
    func toneCurve(peak: Double) {
        let curve = ToneCurve(from: peak, to: 203)
        #expect(curve.mapped(1) == 1)
        #expect(abs(curve.mapped(peak) - 203) < 0.01)
        #expect(abs(curve.mapped(peak * 2) - 203) < 0.01)
        let steps = (0...1000).map { curve.mapped(peak * Double($0) / 1000) }
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(steps.allSatisfy { $0 <= 203.01 })
    }

    @Test("A picture that is no brighter than white needs no tone mapping")
    func toneCurveOfDarkPicture() {
        #expect(ToneCurve(from: 150, to: 203).mapped(120) == 120)
    }

    private func mapped(_ light: [Double], _ colour: FrameColour) -> [UInt8] {
        let signal = light.map { UInt16((TransferCurve.pqSignal($0) * 65_535).rounded()) }
        var bytes = [UInt8](repeating: 7, count: signal.count)
        signal.withUnsafeBufferPointer { signal in
            bytes.withUnsafeMutableBufferPointer { DisplayMapping(colour).map(signal, to: $0) }
        }
        return bytes
    }

    private let pqColour = FrameColour(matrix: .bt2020, isFullRange: false, transfer: .pq, primaries: .bt2020)

    @Test("White of 203 cd/m², black and gray stay neutral")
    func grays() {
        let bytes = mapped([203, 203, 203, 0, 0, 0, 203 * 0.2140, 203 * 0.2140, 203 * 0.2140], pqColour)
        // IEC 61966-2-1: a light of 0.2140 is a signal of one half.
        let expected: [UInt8] = [255, 255, 255, 0, 0, 0, 128, 128, 128]
        for (own, other) in zip(bytes, expected) { #expect(abs(Int(own) - Int(other)) <= 1) }
    }

    @Test("The primaries of BT.2020 are converted, those of BT.709 are not")
    func primaries() {
        // BT.709's red seen in BT.2020's primaries (ITU-R BT.2087, M2, first column).
        let red = mapped([203 * 0.6274, 203 * 0.0691, 203 * 0.0164], pqColour)
        #expect(red[0] >= 253 && red[1] <= 12 && red[2] <= 12)
        var narrow = pqColour
        narrow.primaries = .bt709
        narrow.matrix = .bt709
        let same = mapped([203 * 0.6274, 203 * 0.0691, 203 * 0.0164], narrow)
        #expect(same[1] > 60)
    }

    @Test("Alpha is kept")
    func alpha() {
        let light = UInt16((TransferCurve.pqSignal(203) * 65_535).rounded())
        let signal: [UInt16] = [light, light, light, 0x8000, 0, 0, 0, 0xFFFF]
        var bytes = [UInt8](repeating: 7, count: 8)
        signal.withUnsafeBufferPointer { signal in
            bytes.withUnsafeMutableBufferPointer { DisplayMapping(pqColour).map(signal, channels: 4, to: $0) }
        }
        #expect(bytes[0] >= 254 && bytes[3] == 128 && bytes[4] == 0 && bytes[7] == 255)
    }

    @Test("Highlights are compressed and not clipped")
    func highlights() {
        let bytes = mapped([1000, 1000, 1000, 500, 500, 500, 100, 100, 100], pqColour)
        #expect(bytes[0] >= 254)
        #expect(bytes[3] < bytes[0] && bytes[6] < bytes[3])
    }
}
