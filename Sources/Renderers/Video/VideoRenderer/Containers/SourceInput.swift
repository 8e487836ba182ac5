internal import CFFmpeg
internal import Formats
internal import Linux
internal import Media

/// Lends a source to FFmpeg as an `AVIOContext` that reads with `pread`, within a byte budget.
///
/// The file is never mapped: truncating a mapped file would end the process (SIGBUS).
final class SourceInput {
    let pointer: UnsafeMutablePointer<AVIOContext>
    private let reader: Reader

    /// Opens the context.
    ///
    /// - Parameters:
    ///   - byteLimit: after this number of bytes, every read fails and `isExhausted` is set.
    ///   - changes: bytes to read instead of the source's bytes, by offset.
    /// - Throws: `tooLarge` if memory is insufficient.
    init(_ source: Source, byteLimit: UInt64, changes: [Int64: UInt8] = [:]) throws(Failure) {
        let reader = Reader(source, byteLimit: byteLimit, changes: changes)
        guard let buffer = av_malloc(Self.bufferByteCount),
            let pointer = avio_alloc_context(
                buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferByteCount), 0,
                // Not retained: `self` outlives the context and owns the reader.
                Unmanaged.passUnretained(reader).toOpaque(),
                { Reader.lent($0).read(into: $1, count: $2) }, nil, { Reader.lent($0).seek(to: $1, whence: $2) })
        else { throw .outOfMemory("avio_alloc_context") }
        self.pointer = pointer
        self.reader = reader
    }

    deinit {
        // FFmpeg may have replaced the buffer.
        av_free(pointer.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = pointer
        avio_context_free(&context)
    }

    /// The number of bytes read.
    var readByteCount: UInt64 { reader.readByteCount }

    /// Whether a read was refused because the budget is spent.
    var isExhausted: Bool { reader.isExhausted }

    /// Holds the index of a minute of video, and does not read far past a header.
    private static let bufferByteCount = 64 << 10
}

extension SourceInput {
    private final class Reader {
        private let source: Source
        private var position: Int64 = 0
        private var remaining: UInt64
        private(set) var readByteCount: UInt64 = 0
        private(set) var isExhausted = false

        private let changes: [Int64: UInt8]

        init(_ source: Source, byteLimit: UInt64, changes: [Int64: UInt8]) {
            self.source = source
            self.changes = changes
            remaining = byteLimit
        }

        static func lent(_ pointer: UnsafeMutableRawPointer?) -> Reader {
            Unmanaged<Reader>.fromOpaque(pointer!).takeUnretainedValue()
        }

        /// Returns the number of bytes read, or FFmpeg's error number, also at the end.
        func read(into buffer: UnsafeMutablePointer<UInt8>?, count: Int32) -> Int32 {
            guard remaining > 0 else {
                isExhausted = true
                return cffmpeg_error_read
            }
            let wanted = Int(min(UInt64(count), remaining))
            let target = UnsafeMutableRawBufferPointer(start: buffer, count: wanted)
            guard let done = try? source.read(into: target, at: position) else { return cffmpeg_error_read }
            for (place, byte) in changes where place >= position && place - position < done {
                target[Int(place - position)] = byte
            }
            position += Int64(done)
            remaining -= UInt64(done)
            readByteCount += UInt64(done)
            return done == 0 ? cffmpeg_error_end : Int32(done)
        }

        /// Returns the new position, the size for `AVSEEK_SIZE`, or an error number.
        func seek(to offset: Int64, whence: Int32) -> Int64 {
            let base: Int64
            switch whence & ~AVSEEK_FORCE {
            case AVSEEK_SIZE: return source.byteCount
            case SEEK_SET: base = 0
            case SEEK_CUR: base = position
            case SEEK_END: base = source.byteCount
            default: return Int64(cffmpeg_error_invalid_argument)
            }
            let (target, overflows) = base.addingReportingOverflow(offset)
            guard !overflows, target >= 0 else { return Int64(cffmpeg_error_invalid_argument) }
            position = target
            return target
        }
    }
}
