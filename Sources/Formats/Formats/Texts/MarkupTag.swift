/// A start tag: its name as written, and its attributes with unresolved references.
struct MarkupTag: Equatable {
    let name: String
    let attributes: [(name: String, value: String)]

    /// The value of an attribute; `nil` if the tag lacks it.
    subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

    /// The name without a namespace prefix.
    var localName: String {
        name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    static func == (left: MarkupTag, right: MarkupTag) -> Bool {
        left.name == right.name && left.attributes.elementsEqual(right.attributes, by: ==)
    }
}
