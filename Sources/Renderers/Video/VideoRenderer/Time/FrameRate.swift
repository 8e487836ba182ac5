/// Frames a second, from a fraction in a codec's header.
package enum FrameRate {
    /// More than this is a clock's rate, not that of pictures.
    private static let highest = 300.0

    /// `nil` where the fraction makes no sense. Both numbers may be anything: a header can be made up.
    package static func sound(_ numerator: Int32, over denominator: Int32) -> Double? {
        guard numerator > 0, denominator > 0 else { return nil }
        let rate = Double(numerator) / Double(denominator)
        return rate <= highest ? rate : nil
    }
}
