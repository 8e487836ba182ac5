/// An element of an XML answer, with its text or its children.
package struct XMLNode: Hashable, Sendable {
    /// The element's name, without a namespace prefix.
    package let name: String
    /// The characters directly in the element.
    package internal(set) var text = ""
    /// The elements directly in the element.
    package internal(set) var children: [XMLNode] = []

    init(name: String) { self.name = name }

    /// The first child of a name.
    package subscript(name: String) -> XMLNode? { children.first { $0.name == name } }

    /// All children of a name.
    package func all(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

    /// The text of the first child of a name.
    package func text(_ name: String) -> String? { self[name]?.text }
}
