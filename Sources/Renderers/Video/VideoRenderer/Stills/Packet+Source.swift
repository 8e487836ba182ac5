internal import CFFmpeg
internal import Formats
internal import Media

extension Packet {
    /// A packet of given bytes, followed by a range of a source.
    ///
    /// - Throws: `tooLarge` over the limit on bytes read; `corrupt` if the range cannot be read.
    convenience init(
        _ beginning: [UInt8] = [], of source: Source, _ range: Range<Int64>, limits: Limits
    ) throws(Failure) {
        let limit = limits.posterReadByteCount
        guard UInt64(range.count) <= min(limit, UInt64(Int32.max >> 1)) else { throw .tooMuchToRead(limit) }
        try self.init()
        let byteCount = beginning.count + range.count
        guard av_new_packet(pointer, Int32(byteCount)) >= 0 else { throw .outOfMemory("\(byteCount) bytes of source") }
        let buffer = UnsafeMutableRawBufferPointer(start: pointer.pointee.data, count: byteCount)
        buffer.copyBytes(from: beginning)
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[beginning.count...])
        guard (try? source.read(into: rest, at: range.lowerBound)) == range.count else {
            throw Failure(.corrupt, detail: "the file could not be read whole")
        }
    }
}
