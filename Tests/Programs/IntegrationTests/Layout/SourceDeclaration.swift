/// A declaration in a file of the source tree.
struct SourceDeclaration {
    /// File and line.
    let place: String
    let head: DeclarationHead
    /// The names of the types and extensions around it, from the outermost inwards.
    let enclosing: [String]
    /// The lines of its documentation comment, without the slashes.
    let comment: [String]

    /// Whether another module can use it.
    var isShared: Bool { !head.modifiers.isDisjoint(with: ["public", "package", "open"]) }
}

/// The beginning of a line that declares something.
struct DeclarationHead {
    let indentation: Int
    let modifiers: Set<String>
    /// `struct`, `func`, `init`, …
    let keyword: String
    /// Empty for an operator or an initializer.
    let name: String

    /// Whether the line declares a type.
    var isType: Bool { ["struct", "class", "enum", "actor", "protocol"].contains(keyword) }

    private static let keywords: Set<String> = [
        "struct", "class", "enum", "actor", "protocol", "extension", "func", "init", "var", "let", "typealias", "case",
        "subscript", "associatedtype",
    ]
    private static let modifierNames: Set<String> = [
        "public", "package", "open", "private", "fileprivate", "internal", "static", "final", "mutating",
        "nonmutating", "indirect", "nonisolated", "lazy", "override", "required", "convenience", "consuming",
        "borrowing", "weak", "unowned",
    ]

    /// `nil` for a line that declares nothing.
    init?(_ line: String) {
        indentation = line.prefix { $0 == " " }.count
        var modifiers: Set<String> = []
        var words = line.split(separator: " ")[...]
        while let word = words.popFirst() {
            let plain = String(word.prefix { $0.isLetter })
            let isClassModifier =
                plain == "class" && (words.first.map { Self.keywords.contains(String($0)) } ?? false)
            if Self.keywords.contains(plain), !isClassModifier {
                keyword = plain
                let isNamed = plain != "init" && plain != "subscript"
                name = isNamed ? String((words.first ?? "").prefix { $0.isLetter || $0.isNumber || $0 == "_" }) : ""
                self.modifiers = modifiers
                return
            }
            // `private(set)` says nothing of who can read.
            if Self.modifierNames.contains(plain) || isClassModifier {
                if plain == word { modifiers.insert(plain) }
            } else if !word.hasPrefix("@") {
                return nil
            }
        }
        return nil
    }
}
