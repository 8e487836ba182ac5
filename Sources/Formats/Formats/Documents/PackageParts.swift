/// A package's entries by name, ignoring ASCII case (ECMA-376 part 2, 6.2.2).
///
/// Names stay bytes, because an archive may have a hundred thousand entries, but readers look up only a few.
struct PackageParts {
    private let entries: [ZipEntry]

    init(_ entries: [ZipEntry]) { self.entries = entries }

    /// The first entry with a name, given in lower case.
    subscript(name: String) -> ZipEntry? { entries.first { Self.isNamed($0, name) } }

    /// Whether several entries have a name, so other readers may choose another entry.
    func isAmbiguous(_ name: String) -> Bool { entries.lazy.filter { Self.isNamed($0, name) }.count > 1 }

    /// Whether an entry's name begins with `start`, given in lower case.
    func hasName(beginningWith start: String) -> Bool {
        entries.contains { $0.name.hasIgnoringCase(start, at: 0) }
    }

    /// Whether an entry's name ends with `end`, given in lower case.
    func hasName(endingWith end: String) -> Bool {
        entries.contains { $0.name.hasIgnoringCase(end, at: $0.name.count - end.utf8.count) }
    }

    private static func isNamed(_ entry: ZipEntry, _ name: String) -> Bool {
        entry.name.count == name.utf8.count && entry.name.hasIgnoringCase(name, at: 0)
    }
}
