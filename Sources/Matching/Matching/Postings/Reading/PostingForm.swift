/// The form of a file of postings.
public enum PostingForm: String, Hashable, Sendable, CaseIterable {
    /// JSON Lines (https://jsonlines.org): one object per line.
    case jsonLines = "jsonl"
    /// Comma-separated values (RFC 4180), with the names of columns in the first row.
    case csv
    /// JSON-LD with schema.org's `JobPosting`.
    case linkedData = "jsonld"
    /// A page of HTML that has JSON-LD in its scripts.
    case page = "html"

    /// The form for the ending of a file name; `nil` for other endings.
    public init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        switch fileName[fileName.index(after: dot)...].lowercased() {
        case "jsonl", "ndjson", "jsonlines": self = .jsonLines
        case "csv": self = .csv
        case "json", "jsonld": self = .linkedData
        case "html", "htm", "xhtml": self = .page
        default: return nil
        }
    }
}
