internal import Media

/// Recognises the program that wrote a compound file by the root storage's streams; embedded documents do not count.
enum CompoundDocument: ContentReader {
    static func finding(in source: BoundedSource) throws(Failure) -> Finding? {
        guard CompoundFile.hasSignature(source.head) else { return nil }
        guard let file = try CompoundFile(source) else { return Finding(.oleStorage) }
        let entries = try file.rootEntries()
        return try office(entries, in: file) ?? Finding(other(entries))
    }

    private static func office(_ entries: [CompoundEntry], in file: CompoundFile) throws(Failure) -> Finding? {
        let streams = Dictionary(
            entries.filter { $0.kind == .stream }.map { ($0.name.lowercased(), $0) },
            uniquingKeysWith: { first, _ in first })
        if streams["encryptedpackage"] != nil { return Finding(.encryptedOpenXML, isEncrypted: true) }
        if let stream = streams["worddocument"] {
            return Finding(.word, isEncrypted: isEncryptedWord(try file.firstBytes(of: stream, count: 64)))
        }
        if let stream = streams["workbook"] ?? streams["book"] {
            return Finding(.excel, isEncrypted: isEncryptedExcel(try file.firstBytes(of: stream, count: 8192)))
        }
        if streams["powerpoint document"] != nil {
            return Finding(.powerPoint, isEncrypted: streams["encryptedsummary"] != nil ? true : nil)
        }
        return nil
    }

    /// By the flag fEncrypted of FibBase ([MS-DOC] 2.5.2); `nil` unless it is set.
    private static func isEncryptedWord(_ stream: Bytes) -> Bool? {
        guard let flags = stream.little(UInt16.self, at: 0x0A) else { return nil }
        return flags & 0x0100 != 0 ? true : nil
    }

    /// By a FilePass record among the first of the globals substream ([MS-XLS] 2.4.117); `nil` without one.
    private static func isEncryptedExcel(_ stream: Bytes) -> Bool? {
        let endOfFile: UInt16 = 0x0A
        let filePass: UInt16 = 0x2F
        let sheet: UInt16 = 0x85
        var offset = 0
        for _ in 0..<64 {
            guard let type = stream.little(UInt16.self, at: offset),
                let size = stream.little(UInt16.self, at: offset + 2),
                type != endOfFile, type != sheet
            else { return nil }
            if type == filePass { return true }
            offset += 4 + Int(size)
        }
        return nil
    }

    private static func other(_ entries: [CompoundEntry]) -> MediaType {
        let names = Set(entries.map { $0.name.lowercased() })
        if names.contains("visiodocument") { return MediaType(rawValue: "application/vnd.visio") }
        if names.contains("quill") { return MediaType(rawValue: "application/x-mspublisher") }
        if names.contains("matost") { return MediaType(rawValue: "application/vnd.ms-works") }
        if names.contains("__properties_version1.0") || names.contains(where: { $0.hasPrefix("__substg1.0_") }) {
            return MediaType(rawValue: "application/vnd.ms-outlook")
        }
        return .oleStorage
    }
}
