import Testing
import VideoRenderer

@Suite struct UncommonMatrixTests {
    /// One pixel of 10 bits, limited range, moved up to 16 bits as libswscale does.
    private func rgb(_ matrix: FrameColour.Matrix, _ y: Double, _ first: Double, _ second: Double) -> [Double] {
        func code(_ value: Double) -> UInt16 { UInt16((value * 4).rounded()) << 6 }
        let planes = [code(16 + 219 * y), code(128 + 224 * first), code(128 + 224 * second)]
        let colour = FrameColour(matrix: matrix, isFullRange: false, transfer: .standard, primaries: .bt709)
        var signal: [UInt16] = [0, 0, 0]
        planes.withUnsafeBufferPointer { planes in
            signal.withUnsafeMutableBufferPointer { UncommonMatrix(colour, depth: 10).convert(planes, to: $0) }
        }
        return signal.map { Double($0) / 65_535 }
    }

    private func isNear(_ one: [Double], _ other: [Double]) -> Bool {
        zip(one, other).allSatisfy { abs($0 - $1) < 0.005 }
    }

    @Test("YCgCo's corners are the colours that ITU-T H.273 gives them")
    func ycgco() {
        #expect(isNear(rgb(.ycgco, 0.25, -0.25, 0.5), [1, 0, 0]))
        #expect(isNear(rgb(.ycgco, 0.5, 0.5, 0), [0, 1, 0]))
        #expect(isNear(rgb(.ycgco, 0.25, -0.25, -0.5), [0, 0, 1]))
        #expect(isNear(rgb(.ycgco, 1, 0, 0), [1, 1, 1]))
    }

    /// Brightness is the signal of a light of 0.2627, 0.6780 or 0.0593 (ITU-R BT.2020-2, table 4).
    @Test("BT.2020's constant luminance gives back the primaries")
    func constantLuminance() {
        func differences(_ light: Double, blue: Double, red: Double) -> [Double] {
            let y = TransferCurve.cameraSignal(light)
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
