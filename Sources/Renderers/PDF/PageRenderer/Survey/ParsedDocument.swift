internal import Formats
internal import Media

/// An undamaged document's objects, and the findings about one of its pages.
struct ParsedDocument {
    /// The objects, with the object stream that was decoded last.
    let objects: IndirectObjects
    let findings: PageFindings

    /// `nil` if the file's cross-reference sections are damaged.
    init?(_ source: Source, for pageIndex: Int) throws(Failure) {
        guard var objects = try IndirectObjects(source) else { return nil }
        findings = try PageFindings(for: pageIndex, &objects)
        self.objects = objects
    }
}
