internal import Media

/// Formats that are ZIP archives: Office Open XML, OpenDocument, EPUB, Java and Android archives, iWork.
enum ZipPackage: ContentReader {
    static func finding(in source: BoundedSource) throws(Failure) -> Finding? {
        guard source.head.has("PK\u{3}\u{4}") || source.head.has("PK\u{5}\u{6}") || source.head.has("PK00PK\u{3}\u{4}")
        else { return nil }
        guard let entries = try ZipDirectory(source)?.entries else { return nil }
        let parts = PackageParts(entries)
        if let type = try mediaType(of: parts, source) { return Finding(type) }
        return Finding(.zip, isEncrypted: entries.contains(where: \.isEncrypted) ? true : nil)
    }

    private static func mediaType(of parts: PackageParts, _ source: BoundedSource) throws(Failure) -> MediaType? {
        if let type = try declaredType(of: parts, source) { return type }
        if parts["[content_types].xml"] != nil { return try OpenXML.mediaType(of: parts, source) }
        if let type = try AppleDocument.mediaType(of: parts, source) { return type }
        if parts["androidmanifest.xml"] != nil { return MediaType(rawValue: "application/vnd.android.package-archive") }
        if parts["meta-inf/manifest.mf"] != nil { return MediaType(rawValue: "application/java-archive") }
        return nil
    }

    /// OpenDocument and EPUB declare themselves in an uncompressed entry `mimetype` (ODF 1.3 part 2, 3.3; OCF 3.3, 4.3).
    private static func declaredType(of parts: PackageParts, _ source: BoundedSource) throws(Failure) -> MediaType? {
        guard let entry = parts["mimetype"], let text = try entry.content(in: source, limit: 256)?.text else {
            return nil
        }
        let type = MediaType(rawValue: String(text.prefix { !$0.isWhitespace }))
        // The file's word is taken only for the families that use it.
        let families = ["application/vnd.oasis.opendocument.", "application/vnd.sun.xml.", "application/epub+zip"]
        return families.contains { type.rawValue.hasPrefix($0) } ? type : nil
    }
}

/// A package's entries by name. Part names ignore ASCII's case (ECMA-376 part 2, 6.2.2).
///
/// Names stay bytes: an archive may have a hundred thousand, of which a handful are asked for.
struct PackageParts {
    private let entries: [ZipEntry]

    init(_ entries: [ZipEntry]) { self.entries = entries }

    /// By name in lower case.
    subscript(name: String) -> ZipEntry? { entries.first { Self.isNamed($0, name) } }

    /// Whether readers may disagree on which of two entries is meant.
    func isAmbiguous(_ name: String) -> Bool { entries.lazy.filter { Self.isNamed($0, name) }.count > 1 }

    func hasName(beginningWith start: String) -> Bool {
        entries.contains { $0.name.hasIgnoringCase(start, at: 0) }
    }

    func hasName(endingWith end: String) -> Bool {
        entries.contains { $0.name.hasIgnoringCase(end, at: $0.name.count - end.utf8.count) }
    }

    private static func isNamed(_ entry: ZipEntry, _ name: String) -> Bool {
        entry.name.count == name.utf8.count && entry.name.hasIgnoringCase(name, at: 0)
    }
}
