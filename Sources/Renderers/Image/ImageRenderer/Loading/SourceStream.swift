internal import CVips
internal import Formats
internal import Media
internal import Rendering

/// A source that libvips reads with `pread` into its own buffers.
///
/// libvips' own source over a descriptor maps the file, and if someone truncates a mapped file, SIGBUS ends the
/// process. Loaders that need all bytes at once (WebP, GIF, SVG) get a copy in memory.
final class SourceStream {
    let pointer: UnsafeMutablePointer<VipsSourceCustom>

    /// - Throws: `corrupt` if the source is empty: libvips asserts that a source in memory is not.
    init(_ source: Source) throws(Failure) {
        guard source.byteCount > 0 else { throw Failure(.corrupt, detail: "no bytes") }
        guard let pointer = vips_source_custom_new() else { throw VipsError.failure(in: "source") }
        self.pointer = pointer
        // libvips may hold the source longer than this object lives. The reader therefore belongs to libvips' object,
        // which releases it.
        let reader = Unmanaged.passRetained(Reader(source))
        g_object_set_data_full(cvips_object(pointer), "compass-reader", reader.toOpaque()) {
            Unmanaged<Reader>.fromOpaque($0!).release()
        }
        cvips_connect(
            pointer,
            { _, buffer, length, reader in
                Reader.lent(reader).read(UnsafeMutableRawBufferPointer(start: buffer, count: Int(length)))
            },
            { _, offset, whence, reader in Reader.lent(reader).seek(to: offset, whence: whence) },
            reader.toOpaque())
    }

    deinit { g_object_unref(pointer) }

    /// The position in the source. libvips reads a source from one thread at a time (each loader holds its lock).
    private final class Reader {
        private let source: Source
        private var position: Int64 = 0

        init(_ source: Source) { self.source = source }

        static func lent(_ pointer: UnsafeMutableRawPointer?) -> Reader {
            Unmanaged<Reader>.fromOpaque(pointer!).takeUnretainedValue()
        }

        /// Returns the number of bytes read: 0 at the end, −1 if the file cannot be read.
        ///
        /// The end is the source's size when it was opened, even if the file grows: libvips 8.14 allocates a buffer of
        /// that size and asks for 4,096 more bytes (`vips_source_read_to_memory`).
        func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(max(0, Int(source.byteCount - position))))
            guard let count = try? source.read(into: rest, at: position) else { return -1 }
            position += Int64(count)
            return count
        }

        /// Returns the new position, or −1 if that is not possible.
        func seek(to offset: Int, whence: Int32) -> Int {
            let base: Int
            switch whence {
            case SEEK_SET: base = 0
            case SEEK_CUR: base = Int(position)
            case SEEK_END: base = Int(source.byteCount)
            default: return -1
            }
            let (target, overflows) = base.addingReportingOverflow(offset)
            guard !overflows, target >= 0 else { return -1 }
            position = Int64(target)
            return target
        }
    }
}
