internal import Formats
internal import Media
internal import Rendering

/// What a sound file's own tables say, as far as it matters for one page.
struct PDFTables {
    private(set) var objects: PDFObjects
    let findings: PDFFindings

    /// `nil` where the file has no tables that are understood here.
    init?(_ source: Source, for pageIndex: Int) throws(Failure) {
        guard var objects = try PDFObjects(source) else { return nil }
        findings = try PDFFindings(for: pageIndex, &objects)
        self.objects = objects
    }
}
