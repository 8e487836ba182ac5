/// Converts ICtCp to red, green and blue (ITU-R BT.2100-2, tables 6 and 7).
struct ICtCpMatrix {
    private let transfer: FrameColour.Transfer
    /// The light for each of `topStep` + 1 signals.
    private let light: [Double]
    /// The coefficients of Ct and Cp in the signals of the three kinds of cones, long, medium and short: the inverse of
    /// the tables' matrix, whose first two rows differ only in sign.
    private let difference: SIMD2<Double>
    private let short: SIMD2<Double>

    private static let topStep = 4095.0

    /// - Parameter transfer: HLG has its own matrix; all other curves use PQ's (ITU-T H.273, 8.3, value 14).
    init(_ transfer: FrameColour.Transfer) {
        self.transfer = transfer
        light = (0..<4096).map { Self.light(of: Double($0) / Self.topStep, transfer) }
        difference = transfer == .hlg ? SIMD2(0.015718580, 0.209581068) : SIMD2(0.008609037, 0.111029625)
        short = transfer == .hlg ? SIMD2(1.021271080, -0.605274491) : SIMD2(0.560031336, -0.320627175)
    }

    /// The signals of red, green and blue with the same transfer curve.
    ///
    /// - Parameters:
    ///   - intensity: I, 0...1.
    ///   - tritan: Ct, −½...½.
    ///   - protan: Cp, −½...½.
    func signal(intensity: Double, tritan: Double, protan: Double) -> SIMD3<Double> {
        let change = difference.x * tritan + difference.y * protan
        let (long, medium) = (light(of: intensity + change), light(of: intensity - change))
        let short = light(of: intensity + self.short.x * tritan + self.short.y * protan)
        return SIMD3(
            signal(of: 3.436606694 * long - 2.506452119 * medium + 0.069845424 * short),
            signal(of: -0.791329556 * long + 1.983600452 * medium - 0.192270896 * short),
            signal(of: -0.025949900 * long - 0.098913715 * medium + 1.124863614 * short))
    }

    private func light(of signal: Double) -> Double {
        light[Int((min(max(signal, 0), 1) * Self.topStep).rounded())]
    }

    private static func light(of signal: Double, _ transfer: FrameColour.Transfer) -> Double {
        switch transfer {
        case .pq: TransferCurve.pqLight(signal)
        case .hlg: TransferCurve.hlgScene(signal)
        case .standard: TransferCurve.bt709Light(signal)
        }
    }

    private func signal(of light: Double) -> Double {
        switch transfer {
        case .pq: TransferCurve.pqSignal(light)
        case .hlg: TransferCurve.hlgSignal(light)
        case .standard: TransferCurve.bt709Signal(max(0, light))
        }
    }
}
