import Foundation
import TestSupport

/// A Swift file of the source tree.
struct SourceFile {
    /// Below the checkout, as `Sources/Base/Media/Recipe.swift`.
    let path: String
    let lines: [String]

    /// All Swift files below a folder of the checkout, in the order of their paths.
    static func all(below folder: String) throws -> [SourceFile] {
        let walk = FileManager.default.enumerator(atPath: "\(Checkout.folder)/\(folder)")
        return try (walk?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".swift") }.sorted().map { name in
            let text = try String(contentsOfFile: "\(Checkout.folder)/\(folder)/\(name)", encoding: .utf8)
            return SourceFile(
                path: "\(folder)/\(name)",
                lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        }
    }

    /// The file's text.
    var text: String { lines.joined(separator: "\n") }

    /// The declarations in the file, from its beginning to its end.
    ///
    /// Formatted source shows by its indentation which declaration encloses another one.
    var declarations: [SourceDeclaration] {
        var found: [SourceDeclaration] = []
        var enclosing: [(indentation: Int, name: String)] = []
        var isLiteral = false
        for (index, line) in lines.enumerated() {
            let marks = line.components(separatedBy: "\"\"\"").count - 1
            defer { if !marks.isMultiple(of: 2) { isLiteral.toggle() } }
            guard !isLiteral, let head = DeclarationHead(line) else { continue }
            enclosing.removeAll { $0.indentation >= head.indentation }
            found.append(
                SourceDeclaration(
                    place: "\(path):\(index + 1)", head: head, enclosing: enclosing.map(\.name),
                    comment: comment(above: index, head.indentation)))
            if head.isType || head.keyword == "extension" { enclosing.append((head.indentation, head.name)) }
        }
        return found
    }

    /// The lines of the documentation comment above a declaration and its attributes.
    private func comment(above index: Int, _ indentation: Int) -> [String] {
        var next = index - 1
        while next >= 0 {
            // An attribute may take several lines.
            var start = next
            while start > 0, lines[start].prefix(while: { $0 == " " }).count > indentation { start -= 1 }
            guard lines[start].dropFirst(indentation).hasPrefix("@") else { break }
            next = start - 1
        }
        var comment: [String] = []
        while next >= 0, lines[next].drop(while: { $0 == " " }).hasPrefix("///") {
            comment.insert(String(lines[next].drop { $0 == " " }.dropFirst(3)), at: 0)
            next -= 1
        }
        return comment
    }
}
