/// The parts of a package to which one of its parts refers (ECMA-376 part 2, 6.5); targets outside the package are left
/// out.
final class OpenXMLRelationships: XMLHandler {
    static let namespaces = ["http://schemas.openxmlformats.org/package/2006/relationships": "r"]

    /// The name of the part with the relationships, in lower case.
    let partName: String
    private let folder: String
    private var targets: [(kind: String, part: String)] = []
    /// The first part for each relationship id.
    private var parts: [String: String] = [:]

    /// - Parameter part: the name of the part that refers to others, in lower case.
    init(of part: String) {
        let slash = part.lastIndex(of: "/")
        folder = slash.map { String(part[..<$0]) } ?? ""
        let name = slash.map { String(part[part.index(after: $0)...]) } ?? part
        partName = (folder.isEmpty ? "" : folder + "/") + "_rels/\(name).rels"
    }

    /// The parts of a kind, which is the last word of the relationship's type: `styles`, `header`.
    func parts(of kind: String) -> [String] { targets.filter { $0.kind == kind }.map(\.part) }

    /// The part of a relationship.
    func target(of id: String) -> String? { parts[id] }

    var isFinished: Bool { targets.count >= 10_000 }

    func begin(_ name: String, _ attributes: XMLAttributes) {
        guard name == "r:Relationship", attributes["TargetMode"] != "External", let id = attributes["Id"],
            let type = attributes["Type"], let target = attributes["Target"]
        else { return }
        let kind = type.split(separator: "/").last.map(String.init) ?? ""
        let part = part(named: target)
        targets.append((kind, part))
        if parts[id] == nil { parts[id] = part }
    }

    func end(_ name: String) {}

    func add(_ characters: UnsafeBufferPointer<UInt8>) {}

    /// The part name of a target, which is relative to the folder, or to the root if it begins with a slash.
    private func part(named target: String) -> String {
        var folders = target.hasPrefix("/") ? [] : folder.split(separator: "/").map(String.init)
        for step in target.split(separator: "/") {
            switch step {
            case ".": continue
            case "..": _ = folders.popLast()
            default: folders.append(String(step))
            }
        }
        return folders.joined(separator: "/").lowercased()
    }
}
