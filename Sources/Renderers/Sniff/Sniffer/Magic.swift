internal import CMagic
internal import Media

/// libmagic with its database: what a file looks like by the rules that file(1) has collected.
final class Magic {
    private let handle: magic_t

    /// Loads the system's database, once; throws `unavailable` where there is none.
    init() throws(Failure) {
        handle = try Self.open()
        // The first text that libmagic sees costs it 3 ms more than the next; children inherit what it made then.
        _ = Array("warm\n".utf8).withUnsafeBufferPointer(mediaType)
    }

    deinit { magic_close(handle) }

    /// `5.44`.
    static var version: String {
        let number = magic_version()
        return "\(number / 100).\(number % 100 < 10 ? "0" : "")\(number % 100)"
    }

    /// No look inside compressed data, and neither OLE files nor tables: their own readers know better.
    private static var flags: Int32 {
        MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS | MAGIC_NO_CHECK_CDF | MAGIC_NO_CHECK_CSV | MAGIC_NO_CHECK_ELF
            | MAGIC_ERROR
    }

    private static func open() throws(Failure) -> magic_t {
        guard let handle = magic_open(flags) else { throw Failure(.unavailable, detail: "magic_open") }
        guard magic_load(handle, nil) == 0, limit(handle) else {
            let reason = magic_error(handle).map { String(cString: $0) } ?? "no database"
            magic_close(handle)
            throw Failure(.unavailable, detail: "libmagic: \(reason)")
        }
        return handle
    }

    /// Below libmagic's defaults, which are 50 levels, 1 MiB and 8 KiB a regular expression (libmagic(3)).
    private static func limit(_ handle: magic_t) -> Bool {
        let limits = [
            (MAGIC_PARAM_INDIR_MAX, 20), (MAGIC_PARAM_REGEX_MAX, 4096), (MAGIC_PARAM_BYTES_MAX, 1 << 20),
        ]
        return limits.allSatisfy { parameter, value in
            withUnsafePointer(to: value) { magic_setparam(handle, parameter, $0) == 0 }
        }
    }

    /// libmagic's answer; `nil` where it has none.
    func mediaType(of bytes: UnsafeBufferPointer<UInt8>) -> MediaType? {
        // The answer lies in libmagic's memory until the next call: it is copied here.
        magic_buffer(handle, bytes.baseAddress, bytes.count).map { MediaType(rawValue: String(cString: $0)) }
    }
}
