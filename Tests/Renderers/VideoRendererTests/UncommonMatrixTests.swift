import TestDeadline
import Testing
import VideoRenderer

@Suite("Matrices that libswscale lacks", .deadline)
struct UncommonMatrixTests {
    /// One pixel of 10 bits, limited range, shifted to 16 bits as libswscale does.
    private func rgb(
        _ matrix: FrameColour.Matrix, _ y: Double, _ first: Double, _ second: Double,
        _ transfer: FrameColour.Transfer = .standard
    ) -> [Double] {
        func code(_ value: Double) -> UInt16 { UInt16((value * 4).rounded()) << 6 }
        let planes = [code(16 + 219 * y), code(128 + 224 * first), code(128 + 224 * second)]
        let colour = FrameColour(matrix: matrix, isFullRange: false, transfer: transfer, primaries: .bt709)
        var signal: [UInt16] = [0, 0, 0]
        planes.withUnsafeBufferPointer { planes in
            signal.withUnsafeMutableBufferPointer { UncommonMatrix(colour, depth: 10).convert(planes, to: $0) }
        }
        return signal.map { Double($0) / 65_535 }
    }

    private func isNear(_ one: [Double], _ other: [Double]) -> Bool {
        zip(one, other).allSatisfy { abs($0 - $1) < 0.005 }
    }

    @Test("The corners of YCgCo are the colours of ITU-T H.273")
    func ycgco() {
        #expect(isNear(rgb(.ycgco, 0.25, -0.25, 0.5), [1, 0, 0]))
        #expect(isNear(rgb(.ycgco, 0.5, 0.5, 0), [0, 1, 0]))
        #expect(isNear(rgb(.ycgco, 0.25, -0.25, -0.5), [0, 0, 1]))
        #expect(isNear(rgb(.ycgco, 1, 0, 0), [1, 1, 1]))
    }

    /// The forward conversion of BT.2100-2: light to the responses of the cones, to their signals, to ICtCp.
    private func ictcp(
        _ light: SIMD3<Double>, _ transfer: FrameColour.Transfer, _ tritan: SIMD3<Double>, _ protan: SIMD3<Double>,
        signal: (Double) -> Double
    ) -> [Double] {
        func sum(_ weights: SIMD3<Double>, _ values: SIMD3<Double>) -> Double { (weights * values).sum() / 4096 }
        let cones = SIMD3(
            signal(sum(SIMD3(1688, 2146, 262), light)), signal(sum(SIMD3(683, 2951, 462), light)),
            signal(sum(SIMD3(99, 309, 3688), light)))
        let intensity = sum(SIMD3(2048, 2048, 0), cones)
        return rgb(.ictcp, intensity, sum(tritan, cones), sum(protan, cones), transfer)
    }

    @Test(
        "ICtCp is converted back to its colours",
        arguments: [SIMD3(1, 1, 1), SIMD3(0.02, 0.02, 0.02), SIMD3(0.6, 0.1, 0.05), SIMD3(0.1, 0.5, 0.9)])
    func ictcp(light: SIMD3<Double>) {
        let screen = light * 1000
        let pq = ictcp(
            screen, .pq, SIMD3(6610, -13613, 7003), SIMD3(17933, -17390, -543), signal: TransferCurve.pqSignal)
        #expect(isNear(pq, (0..<3).map { TransferCurve.pqSignal(screen[$0]) }))
        let hlg = ictcp(
            light, .hlg, SIMD3(3625, -7465, 3840), SIMD3(9500, -9212, -288), signal: TransferCurve.hlgSignal)
        #expect(isNear(hlg, (0..<3).map { TransferCurve.hlgSignal(light[$0]) }))
    }

    @Test("HLG's curve matches its inverse", arguments: [0, 0.01, 1.0 / 12, 0.2, 1])
    func hlgCurve(light: Double) {
        #expect(abs(TransferCurve.hlgScene(TransferCurve.hlgSignal(light)) - light) < 1e-6)
    }

    /// Luma is the signal of a light of 0.2627, 0.6780 or 0.0593 (ITU-R BT.2020-2, table 4).
    @Test("BT.2020 with constant luminance is converted back to the primaries")
    func constantLuminance() {
        func differences(_ light: Double, blue: Double, red: Double) -> [Double] {
            let y = TransferCurve.bt709Signal(light)
            return rgb(
                .bt2020Constant, y, (blue - y) / (blue <= y ? 1.9404 : 1.5816),
                (red - y) / (red <= y ? 1.7184 : 0.9936))
        }
        #expect(isNear(differences(0.2627, blue: 0, red: 1), [1, 0, 0]))
        #expect(isNear(differences(0.6780, blue: 0, red: 0), [0, 1, 0]))
        #expect(isNear(differences(0.0593, blue: 1, red: 0), [0, 0, 1]))
        #expect(isNear(differences(1, blue: 1, red: 1), [1, 1, 1]))
    }
}
