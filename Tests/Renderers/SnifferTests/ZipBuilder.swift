/// Builds a ZIP archive (PKWARE APPNOTE): local files, a central directory, its end.
struct ZipBuilder {
    struct File {
        var name: String
        var content: [UInt8]
        var isDeflated = false
        var isEncrypted = false

        init(_ name: String, _ content: String = "", isDeflated: Bool = false, isEncrypted: Bool = false) {
            self.name = name
            self.content = Array(content.utf8)
            self.isDeflated = isDeflated
            self.isEncrypted = isEncrypted
        }

        /// A deflate stream of one stored block (RFC 1951, 3.2.4).
        var data: [UInt8] {
            guard isDeflated else { return content }
            let size = UInt16(content.count)
            return [1] + size.little + (~size).little + content
        }
    }

    var comment = ""
    var hasCentralDirectory = true
    private let files: [File]

    init(_ files: [File]) { self.files = files }

    func bytes() -> [UInt8] {
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
