internal import Glibc

/// Transfer functions: the curves between signals (0...1) and light.
package enum TransferCurve {
    /// PQ's EOTF (SMPTE ST 2084; ITU-R BT.2100-2, table 4): the light of a signal in cd/m².
    package static func pqLight(_ signal: Double) -> Double {
        let power = pow(max(0, signal), 1 / m2)
        return 10_000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
    }

    /// PQ's inverse EOTF: the signal of a light in cd/m².
    package static func pqSignal(_ light: Double) -> Double {
        let power = pow(max(0, light) / 10_000, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }

    private static let m1 = 2610.0 / 16384, m2 = 2523.0 / 4096 * 128
    private static let c1 = 3424.0 / 4096, c2 = 2413.0 / 4096 * 32, c3 = 2392.0 / 4096 * 32

    /// HLG's inverse OETF (ITU-R BT.2100-2, table 5): the scene light of a signal, 0...1.
    package static func hlgScene(_ signal: Double) -> Double {
        let signal = max(0, signal)
        return signal <= 0.5 ? signal * signal / 3 : (exp((signal - hlgC) / hlgA) + hlgB) / 12
    }

    /// HLG's OETF: the signal of a scene light of 0...1.
    package static func hlgSignal(_ light: Double) -> Double {
        light <= 1.0 / 12 ? (3 * max(0, light)).squareRoot() : hlgA * log(12 * light - hlgB) + hlgC
    }

    private static let hlgA = 0.17883277, hlgB = 1 - 4 * hlgA, hlgC = 0.5 - hlgA * log(4 * hlgA)

    /// sRGB's curve (IEC 61966-2-1): the light of a signal, 0...1.
    package static func srgbLight(_ signal: Double) -> Double {
        signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4)
    }

    /// The OETF of BT.709 and BT.2020 (ITU-R BT.2020-2, table 4): the signal of a scene light of 0...1.
    package static func bt709Signal(_ light: Double) -> Double {
        light < bt709Knee ? 4.5 * light : bt709Scale * pow(light, 0.45) - (bt709Scale - 1)
    }

    /// The inverse OETF of BT.709 and BT.2020: the scene light of a signal, 0...1.
    package static func bt709Light(_ signal: Double) -> Double {
        signal < 4.5 * bt709Knee ? signal / 4.5 : pow((signal + bt709Scale - 1) / bt709Scale, 1 / 0.45)
    }

    private static let bt709Scale = 1.09929682680944, bt709Knee = 0.018053968510807

    /// The inverse of sRGB's curve: the signal of a light of 0...1.
    package static func srgbSignal(_ light: Double) -> Double {
        light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
