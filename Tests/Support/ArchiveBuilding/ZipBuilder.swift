internal import CZlib

/// Builds a ZIP archive (PKWARE APPNOTE): local files, a central directory, and its end record.
package struct ZipBuilder {
    /// A file of the archive.
    package struct File {
        /// The name as in the headers.
        package var name: String
        /// The uncompressed content.
        package var content: [UInt8]
        /// Whether it is compressed.
        package var isDeflated = false
        /// Whether its flags say that it is encrypted.
        package var isEncrypted = false

        /// A file with this text.
        package init(_ name: String, _ content: String = "", isDeflated: Bool = false, isEncrypted: Bool = false) {
            self.name = name
            self.content = Array(content.utf8)
            self.isDeflated = isDeflated
            self.isEncrypted = isEncrypted
        }

        /// A deflate stream: one stored block (RFC 1951, 3.2.4), or zlib's stream for long content.
        var data: [UInt8] {
            guard isDeflated else { return content }
            guard content.count <= UInt16.max else { return deflated }
            let size = UInt16(content.count)
            return [1] + size.little + (~size).little + content
        }

        private var deflated: [UInt8] {
            var stream = z_stream()
            let size = Int32(MemoryLayout<z_stream>.size)
            guard deflateInit2_(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK else {
                preconditionFailure("zlib has no memory")
            }
            defer { deflateEnd(&stream) }
            var input = content
            return input.withUnsafeMutableBufferPointer { input in
                [UInt8](unsafeUninitializedCapacity: input.count + 1024) { output, count in
                    (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                    (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                    precondition(deflate(&stream, Z_FINISH) == Z_STREAM_END, "the room suffices")
                    count = output.count - Int(stream.avail_out)
                }
            }
        }
    }

    /// The comment after the end record.
    package var comment = ""
    /// Whether the directory at the end is written.
    package var hasCentralDirectory = true
    private let files: [File]

    /// An archive of these files.
    package init(_ files: [File]) { self.files = files }

    /// The archive.
    package func bytes() -> [UInt8] {
        var local: [UInt8] = []
        var central: [UInt8] = []
        for file in files {
            let offset = UInt32(local.count)
            local += ascii("PK\u{3}\u{4}") + fields(of: file) + UInt16(0).little + ascii(file.name) + file.data
            central += ascii("PK\u{1}\u{2}") + UInt16(20).little + fields(of: file) + zeros(14 - 2)
            central += offset.little + ascii(file.name)
        }
        guard hasCentralDirectory else { return local }
        var end = ascii("PK\u{5}\u{6}") + zeros(4) + UInt16(files.count).little + UInt16(files.count).little
        end += UInt32(central.count).little + UInt32(local.count).little + UInt16(comment.utf8.count).little
        return local + central + end + ascii(comment)
    }

    /// Version, flags, method, time, checksum, sizes and the name's length: the same in both headers.
    private func fields(of file: File) -> [UInt8] {
        var fields =
            UInt16(20).little + UInt16(file.isEncrypted ? 1 : 0).little + UInt16(file.isDeflated ? 8 : 0).little
        fields += zeros(8) + UInt32(file.data.count).little + UInt32(file.content.count).little
        return fields + UInt16(file.name.utf8.count).little
    }
}
