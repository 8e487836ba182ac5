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
