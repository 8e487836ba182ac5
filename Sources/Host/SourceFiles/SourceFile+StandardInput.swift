internal import CLinux
public import Linux
public import Media

extension SourceFile {
    /// Standard input: the file itself if it is a file, otherwise a copy of all its bytes in an unnamed temporary file.
    ///
    /// Either is read through a read-only descriptor.
    ///
    /// - Parameter input: a descriptor to use instead.
    /// - Throws: `tooLarge` if there are more than `limit` bytes.
    public static func standardInput(limit: UInt64, from input: Descriptor? = nil) throws(Failure) -> SourceFile {
        let spooled: Descriptor
        do throws(SystemError) {
            if let input {
                spooled = try spool(input, limit: limit)
            } else {
                spooled = try spool(duplicated(), limit: limit)
            }
        } catch {
            if error.number == EFBIG {
                throw Failure(
                    .tooLarge, message: "Standard input is over the limit of \(limit) bytes (setting max-input).")
            }
            throw Failure(
                .unavailable, message: "Standard input cannot be copied: \(error.reason).", detail: "\(error)")
        }
        return try opened(spooled, name: "standard input")
    }

    private static func duplicated() throws(SystemError) -> Descriptor {
        Descriptor(owning: try checking("dup") { clinux_fcntl(0, F_DUPFD_CLOEXEC, 3) })
    }

    /// The file itself if it can be read without write access, otherwise a copy; fails with `EFBIG` above the limit.
    private static func spool(_ input: Descriptor, limit: UInt64) throws(SystemError) -> Descriptor {
        if try input.status().isRegularFile {
            if input.isReadOnly { return input }
            if let file = try? input.reopenedForReading() { return file }
        }
        let copy = try Descriptor.unnamed(in: temporaryFolder ?? "/tmp")
        var total: UInt64 = 0
        var part = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = try checking("read") { read(input.number, &part, part.count) }
            if count == 0 { return try copy.reopenedForReading() }
            total += UInt64(count)
            guard total <= limit else { throw SystemError("read", number: EFBIG) }
            try copy.write(Array(part[..<count]))
        }
    }

    /// The user's folder for temporary files.
    package static var temporaryFolder: String? { getenv("TMPDIR").map { String(cString: $0) } }
}
