internal import CFFmpeg

/// A time or time span in a stream, in units of the stream's time base.
///
/// A file may state any 64-bit number, so sums and differences saturate. That suffices, since times are only compared,
/// used for seeks, and converted to seconds.
package struct StreamTime: Comparable, Hashable, Sendable {
    /// FFmpeg's timestamp; never its `AV_NOPTS_VALUE`.
    package let units: Int64

    /// No units.
    package static let zero = StreamTime(nearest: 0)

    /// The time of an FFmpeg timestamp; `nil` for its `AV_NOPTS_VALUE`.
    package init?(_ timestamp: Int64) {
        if timestamp == cffmpeg_no_time { return nil }
        units = timestamp
    }

    /// The whole units of a number, saturating; 0 for NaN.
    package init(clamping units: Double) {
        let whole = units.rounded(.down)
        self.init(nearest: whole.isNaN ? 0 : whole >= 0x1p63 ? .max : whole < -0x1p63 ? .min : Int64(whole))
    }

    private init(nearest units: Int64) { self.units = max(units, cffmpeg_no_time + 1) }

    /// Compares times of the same stream.
    package static func < (one: StreamTime, other: StreamTime) -> Bool { one.units < other.units }

    /// Adds a span, saturating.
    package static func + (time: StreamTime, span: StreamTime) -> StreamTime {
        let (sum, overflows) = time.units.addingReportingOverflow(span.units)
        return StreamTime(nearest: overflows ? (span.units < 0 ? .min : .max) : sum)
    }

    /// Subtracts a span, saturating.
    package static func - (time: StreamTime, span: StreamTime) -> StreamTime {
        let (difference, overflows) = time.units.subtractingReportingOverflow(span.units)
        return StreamTime(nearest: overflows ? (span.units < 0 ? .max : .min) : difference)
    }
}
