/// The tone curve from a bright source to a screen: the EETF of ITU-R BT.2390-8, 5.4.1, without its black level lift.
///
/// It keeps light up to a knee; from there a Hermite spline leads from the source's peak to the screen's white. Both
/// are computed in PQ signals, whose steps are perceptually uniform.
package struct ToneCurve {
    /// The brightest light of the source and of the screen, in cd/m².
    private let peak: Double
    private let white: Double

    /// A curve that maps the source's peak to the screen's white, both in cd/m².
    package init(from peak: Double, to white: Double) {
        self.peak = peak
        self.white = white
    }

    /// The light on the screen for a light of the source, both in cd/m². Light above the source's peak becomes white.
    package func mapped(_ light: Double) -> Double {
        if peak <= white { return min(light, white) }
        let whole = TransferCurve.pqSignal(peak)
        let top = TransferCurve.pqSignal(white) / whole
        let signal = min(1, TransferCurve.pqSignal(light) / whole)
        let knee = 1.5 * top - 0.5
        if signal < knee { return light }
        let t = (signal - knee) / (1 - knee)
        let spline =
            (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
            + (3 * t * t - 2 * t * t * t) * top
        return TransferCurve.pqLight(spline * whole)
    }
}
