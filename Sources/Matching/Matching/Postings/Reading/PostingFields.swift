internal import Media

/// A posting's fields as a source wrote them.
struct PostingFields {
    var id: String?
    var title: String?
    var company: String?
    var location: String?
    var remote: String?
    var posted: String?
    var expires: String?
    var url: String?
    var text: String?
    var salary: String?
}

extension PostingFields {
    /// Fields by the names of the project's own form; `description` is another name for `text`.
    init(_ value: (String) -> String?) {
        self.init(
            id: value("id"), title: value("title"), company: value("company"), location: value("location"),
            remote: value("remote"), posted: value("posted"), expires: value("expires"), url: value("url"),
            text: value("text") ?? value("description"), salary: value("salary"))
    }
}

extension JSON {
    /// A string, an integer or a Boolean as text; `nil` for fractions and numbers beyond 64 bits, which two sources
    /// write differently.
    var scalarText: String? {
        switch self {
        case .string(let text): text
        case .integer(let value): String(value)
        case .bool(let value): value ? "true" : "false"
        default: nil
        }
    }
}
