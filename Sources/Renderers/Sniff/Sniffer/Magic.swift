internal import CMagic
internal import Media

/// libmagic and its database, which guess a file's type by the rules of file(1).
final class Magic {
    private let handle: magic_t

    /// Loads the system's database.
    ///
    /// - Throws: `unavailable` if there is none.
    init() throws(Failure) {
        handle = try Self.open()
        // libmagic needs 3 ms more for its first text than for the next: children inherit the tables that it builds.
        _ = Array("warm\n".utf8).withUnsafeBufferPointer(mediaType)
    }

    deinit { magic_close(handle) }

    /// The version, such as `5.44`.
    static var version: String {
        let number = magic_version()
        return "\(number / 100).\(number % 100 < 10 ? "0" : "")\(number % 100)"
    }

    /// Compressed data stay unopened. This project has its own readers for OLE files and tables.
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

    /// Sets limits; libmagic's defaults are 50 levels, 8 KiB per regular expression and 1 MiB (libmagic(3)).
    private static func limit(_ handle: magic_t) -> Bool {
        let limits = [
            (MAGIC_PARAM_INDIR_MAX, 20), (MAGIC_PARAM_REGEX_MAX, 4096), (MAGIC_PARAM_BYTES_MAX, 1 << 20),
        ]
        return limits.allSatisfy { parameter, value in
            withUnsafePointer(to: value) { magic_setparam(handle, parameter, $0) == 0 }
        }
    }

    /// The media type that libmagic guesses; `nil` if it has no guess.
    func mediaType(of bytes: UnsafeBufferPointer<UInt8>) -> MediaType? {
        // libmagic owns the answer until the next call.
        magic_buffer(handle, bytes.baseAddress, bytes.count).map { MediaType(rawValue: String(cString: $0)) }
    }
}
