internal import CFFmpeg

/// A moment or a span of a stream, in units of the stream's time base.
///
/// A file may state any number of 64 bits. Sums and differences that exceed these stay at the nearest end: times are only
/// compared, sought and told in seconds, and whatever lies beyond the last moment is still later than all others.
package struct StreamTime: Comparable, Hashable, Sendable {
    /// As FFmpeg takes it; never its "no timestamp".
    package let units: Int64

    package static let zero = StreamTime(nearest: 0)

    /// A timestamp of FFmpeg's; `nil` where it is its "no timestamp".
    package init?(_ timestamp: Int64) {
        if timestamp == cffmpeg_no_time { return nil }
        units = timestamp
    }

    /// So many whole units, or the nearest number that can be told; none for what is no number.
    package init(clamping units: Double) {
        let whole = units.rounded(.down)
        self.init(nearest: whole.isNaN ? 0 : whole >= 0x1p63 ? .max : whole < -0x1p63 ? .min : Int64(whole))
    }

    private init(nearest units: Int64) { self.units = max(units, cffmpeg_no_time + 1) }

    package static func < (one: StreamTime, other: StreamTime) -> Bool { one.units < other.units }

    package static func + (time: StreamTime, span: StreamTime) -> StreamTime {
        let (sum, overflows) = time.units.addingReportingOverflow(span.units)
        return StreamTime(nearest: overflows ? (span.units < 0 ? .min : .max) : sum)
    }

    package static func - (time: StreamTime, span: StreamTime) -> StreamTime {
        let (difference, overflows) = time.units.subtractingReportingOverflow(span.units)
        return StreamTime(nearest: overflows ? (span.units < 0 ? .max : .min) : difference)
    }
}
