/// Makes bright light fit an ordinary screen: the EETF of ITU-R BT.2390-8, 5.4.1, without its raised black.
///
/// Light up to a knee stays as it is; from there to the source's peak a Hermite spline leads to the screen's white. Both in
/// PQ signals, whose steps look alike.
package struct ToneCurve {
    /// The brightest light of the source and of the screen, in cd/m².
    private let peak: Double
    private let white: Double

    package init(from peak: Double, to white: Double) {
        self.peak = peak
        self.white = white
    }

    /// What a light is shown as; both in cd/m². Lights over the source's peak become white.
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
