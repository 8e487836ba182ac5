import DocumentAPI
import Foundation
import Media
import People
import TestDeadline
import TestSupport
import Testing

@Suite("The description in OpenAPI, and the routes", .deadline)
struct OpenAPITests {
    private let file: JSON

    init() throws { file = try JSON(parsing: OpenAPIFile.bytes) }

    private static let methods: Set<String> = ["get", "head", "post", "put", "patch", "delete", "options"]

    /// Every operation: method, path and object.
    private var operations: [(method: String, path: String, json: JSON)] {
        (file["paths"]?.members ?? []).flatMap { path in
            (path.value.members ?? []).filter { Self.methods.contains($0.key) }
                .map { ($0.key.uppercased(), path.key, $0.value) }
        }
    }

    @Test("The file describes every route, and no other")
    func routes() throws {
        let folder = TemporaryFolder.make("openapi")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let described = Set(operations.map { "\($0.method) \($0.path)" })
        let served = Set(try EmptyFace(in: folder).api.rules.map { "\($0.method) \($0.path)" })
        #expect(served.subtracting(described) == [], "routes without a description")
        #expect(described.subtracting(served) == [], "descriptions without a route")
        #expect(described.count > 30)
    }

    @Test("Each operation has a name of its own, a summary, its path's parameters, and the errors of any route")
    func operationsAreWhole() throws {
        #expect(Set(operations.map { $0.json["operationId"]?.string }).count == operations.count)
        for (method, path, json) in operations {
            let place: Comment = "\(method) \(path)"
            #expect(json["summary"]?.string?.isEmpty == false, place)
            let names = (json["parameters"]?.array ?? []).map { resolved($0) }
                .filter { $0?["in"]?.string == "path" }.compactMap { $0?["name"]?.string }
            let wanted = path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
                String($0.dropFirst().dropLast())
            }
            #expect(names == wanted, place)
            let statuses = Set((json["responses"]?.members ?? []).map(\.key))
            #expect(statuses.contains("500") && statuses.contains { $0.hasPrefix("2") }, place)
            if !wanted.isEmpty { #expect(statuses.contains("404"), place) }
        }
    }

    @Test("Each operation that takes JSON alone refuses other types of a body, and no other does so as JSON")
    func mediaTypes() {
        var count = 0
        for (method, path, json) in operations {
            let types = json["requestBody"]?["content"]?.members?.map(\.key) ?? []
            let refusal = json["responses"]?["415"]?["$ref"]?.string
            #expect(
                (types == ["application/json"]) == (refusal?.hasSuffix("NotJSON") == true), "\(method) \(path)")
            count += types == ["application/json"] ? 1 : 0
        }
        #expect(count >= 7)
    }

    @Test("Every reference leads somewhere, and everything shared is used")
    func references() throws {
        var used: Set<String> = []
        walk(file) { json in
            guard let reference = json["$ref"]?.string else { return }
            used.insert(reference)
            #expect(resolved(json) != nil, "\(reference)")
        }
        for kind in file["components"]?.members ?? [] {
            for shared in kind.value.members ?? [] {
                #expect(used.contains("#/components/\(kind.key)/\(shared.key)"), "\(shared.key) is not used")
            }
        }
    }

    private func walk(_ json: JSON, _ visit: (JSON) -> Void) {
        if let members = json.members {
            visit(json)
            for member in members { walk(member.value, visit) }
        }
        for element in json.array ?? [] { walk(element, visit) }
    }

    /// The object itself, or the one that its reference names.
    private func resolved(_ json: JSON) -> JSON? {
        guard let reference = json["$ref"]?.string else { return json }
        return reference.split(separator: "/").dropFirst().reduce(Optional(file)) { $0?[String($1)] }
    }
}
