internal import Media

/// Recognises formats that are ZIP archives: Office Open XML, OpenDocument, EPUB, Java and Android archives, iWork.
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

    /// The type in the entry `mimetype` of OpenDocument and EPUB (ODF 1.3 part 2, 3.3; OCF 3.3, 4.3).
    private static func declaredType(of parts: PackageParts, _ source: BoundedSource) throws(Failure) -> MediaType? {
        guard let entry = parts["mimetype"], let text = try entry.content(in: source, limit: 256)?.text else {
            return nil
        }
        let type = MediaType(rawValue: String(text.prefix { !$0.isWhitespace }))
        // Only these families declare their type this way.
        let families = ["application/vnd.oasis.opendocument.", "application/vnd.sun.xml.", "application/epub+zip"]
        return families.contains { type.rawValue.hasPrefix($0) } ? type : nil
    }
}
