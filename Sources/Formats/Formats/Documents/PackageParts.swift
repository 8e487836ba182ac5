/// A package's entries by name, without regard to ASCII's case (ECMA-376 part 2, 6.2.2).
///
/// Names stay bytes, because an archive may have a hundred thousand entries, of which readers look up a handful.
struct PackageParts {
    private let entries: [ZipEntry]

    init(_ entries: [ZipEntry]) { self.entries = entries }

    /// The first entry of a name, which is in lower case.
    subscript(name: String) -> ZipEntry? { entries.first { Self.isNamed($0, name) } }

    /// Whether several entries have a name, of which other readers may take another.
    func isAmbiguous(_ name: String) -> Bool { entries.lazy.filter { Self.isNamed($0, name) }.count > 1 }

    /// Whether an entry's name begins so; `start` is in lower case.
    func hasName(beginningWith start: String) -> Bool {
        entries.contains { $0.name.hasIgnoringCase(start, at: 0) }
    }

    /// Whether an entry's name ends so; `end` is in lower case.
    func hasName(endingWith end: String) -> Bool {
        entries.contains { $0.name.hasIgnoringCase(end, at: $0.name.count - end.utf8.count) }
    }

    private static func isNamed(_ entry: ZipEntry, _ name: String) -> Bool {
        entry.name.count == name.utf8.count && entry.name.hasIgnoringCase(name, at: 0)
    }
}
