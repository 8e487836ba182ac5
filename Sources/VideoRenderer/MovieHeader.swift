internal import Rendering

/// What an MP4's or QuickTime file's header says of the whole movie (`mvhd`; ISO/IEC 14496-12, 8.2.2).
///
/// Asked where FFmpeg passes over it. The file's bytes are read as hostile, as those of `SampleEntry`.
enum MovieHeader {
    /// In seconds; `nil` where it says nothing, as in movies of fragments.
    static func duration(in source: Source) -> Double? {
        guard let movie = SampleEntry.child("moov", of: 0..<source.byteCount, source),
            let header = SampleEntry.child("mvhd", of: movie, source)
        else { return nil }
        // Version and flags, two times, units a second, the duration: of 64 bits in version 1, but for the units.
        let bytes = SampleEntry.bytes(at: header.lowerBound, count: 32, source)
        guard bytes.count == 32 else { return nil }
        let isLong = bytes[0] == 1
        let units = SampleEntry.number(bytes, isLong ? 20 : 12)
        let low = UInt64(SampleEntry.number(bytes, isLong ? 28 : 16))
        let count = isLong ? UInt64(SampleEntry.number(bytes, 24)) << 32 | low : low
        // All bits set: not known.
        guard units > 0, count > 0, count < (isLong ? .max : UInt64(UInt32.max)) else { return nil }
        return Double(count) / Double(units)
    }
}
