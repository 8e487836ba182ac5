package import Media

/// A package's parts, for readers of document text: each is decompressed on demand, within a bound.
package struct PackageContent {
    private let source: BoundedSource
    private let parts: PackageParts

    /// Reads the directory; `nil` if the source is not an archive.
    package init?(_ source: BoundedSource) throws(Failure) {
        guard let entries = try ZipDirectory(source)?.entries else { return nil }
        self.source = source
        parts = PackageParts(entries)
    }

    /// Whether a part has a name, given in lower case.
    package func has(_ name: String) -> Bool { parts[name] != nil }

    /// The name of the main part of an Office Open XML package, in lower case; `nil` without one.
    package func mainPartName() throws(Failure) -> String? { try OpenXML.mainPart(of: parts, source) }

    /// Lends a part's bytes piece by piece until `body` has enough.
    ///
    /// - Parameter name: in lower case.
    /// - Returns: the number of bytes lent.
    /// - Throws: `corrupt` if there is no such part, or its data are damaged or end early; `encrypted`; `tooLarge` if
    ///   it has more than `limit` bytes; what `body` throws.
    @discardableResult
    package func read(
        _ name: String, limit: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Bool
    ) throws(Failure) -> Int {
        guard let entry = parts[name] else { throw Failure(.corrupt, detail: "the part \(name) is missing") }
        if entry.isEncrypted { throw Failure(.encrypted) }
        var count = 0
        var isEnough = false
        let isWhole = try entry.readContent(in: source) { piece throws(Failure) in
            count += piece.count
            guard count <= limit else { throw Failure(.tooLarge, detail: "\(name) has more than \(limit) bytes") }
            isEnough = try !body(piece)
            return !isEnough
        }
        guard isWhole || isEnough else { throw Failure(.corrupt, detail: "\(name) is damaged") }
        return count
    }
}
