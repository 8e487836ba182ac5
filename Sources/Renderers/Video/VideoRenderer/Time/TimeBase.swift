/// The duration of one unit of a stream's times, a fraction of seconds.
package struct TimeBase: Equatable, Sendable {
    private let seconds: Double
    private let secondsDivisor: Double

    /// A fraction, in which invalid numbers below 1 count as 1.
    package init(_ numerator: Int32, over denominator: Int32) {
        seconds = Double(max(1, numerator))
        secondsDivisor = Double(max(1, denominator))
    }

    /// A time or a span in seconds; always finite.
    package func seconds(_ time: StreamTime) -> Double { Double(time.units) * seconds / secondsDivisor }

    /// The whole units in a number of seconds.
    package func time(ofSeconds count: Double) -> StreamTime {
        let units = count * secondsDivisor / seconds
        // 0.3 s at 30 per second is 9 units, although the product is slightly less.
        return StreamTime(clamping: units + 1e-6)
    }
}
