/// Checks frame rates from codecs' headers.
package enum FrameRate {
    /// A higher rate is the rate of a clock, not of frames.
    private static let highest = 300.0

    /// A fraction as frames per second; `nil` for an implausible fraction. Both numbers are untrusted.
    package static func sound(_ numerator: Int32, over denominator: Int32) -> Double? {
        guard numerator > 0, denominator > 0 else { return nil }
        let rate = Double(numerator) / Double(denominator)
        return rate <= highest ? rate : nil
    }
}
