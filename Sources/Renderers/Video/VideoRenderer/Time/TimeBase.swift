/// How long one unit of a stream's times is: a fraction of seconds.
package struct TimeBase: Equatable, Sendable {
    private let seconds: Double
    private let secondsDivisor: Double

    /// Numbers below 1, which a sound container never has, count as 1.
    package init(_ numerator: Int32, over denominator: Int32) {
        seconds = Double(max(1, numerator))
        secondsDivisor = Double(max(1, denominator))
    }

    /// A moment or a span in seconds; finite.
    package func seconds(_ time: StreamTime) -> Double { Double(time.units) * seconds / secondsDivisor }

    /// How many units have begun after so many seconds.
    package func time(ofSeconds count: Double) -> StreamTime {
        let units = count * secondsDivisor / seconds
        // 0.3 s at 30 a second is 9, although the product is a trifle less.
        return StreamTime(clamping: units + 1e-6)
    }
}
