internal import Documents
internal import Media

/// The address of a picture: a document, and the part of it that is shown.
struct PictureAddress {
    /// What an address shows: the last part of its path.
    enum Kind: String, CaseIterable {
        case thumbnail
        case picture
        case page = "pages"
        case frame

        /// The pattern of the address.
        var route: String { "/api/documents/{id}/\(path)" }

        /// The part of the pattern after the document's address.
        var path: String { self == .page ? "\(rawValue)/{page}" : rawValue }
    }

    let kind: Kind
    let id: ID<Document>
    /// The number of a page in a PDF, which may be wrong; `nil` if no page is shown.
    let page: String?

    /// An address from the parameters of its route.
    init(_ kind: Kind, id: ID<Document>, page: String?) {
        self.kind = kind
        self.id = id
        self.page = page
    }

    /// An address from its path; `nil` for any other path.
    init?(path: String) {
        let parts = path.split(separator: "/", maxSplits: 6, omittingEmptySubsequences: false)
        guard parts.count >= 5, parts[0].isEmpty, parts[1] == "api", parts[2] == "documents",
            let id = ID<Document>(parts[3]), let kind = Kind(rawValue: String(parts[4])),
            parts.count == (kind == .page ? 6 : 5)
        else { return nil }
        self.init(kind, id: id, page: kind == .page ? String(parts[5]) : nil)
    }
}
