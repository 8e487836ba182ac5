import Foundation
import Media
import TestSupport

extension HostilePerson {
    /// A row of the table as this person calls it.
    func request(_ row: HostileRoutes.Row) throws -> HostileRequest {
        var headers = try row.headers.map { ($0.name, try filled($0.value)) }
        switch row.caller {
        case .nobody: break
        case .person: headers += credentials
        case .spare: headers += [("Authorization", "Bearer \(try value("spareToken"))"), ("apikey", service.key)]
        }
        var body: [UInt8]?
        if let text = row.body {
            let (bytes, type) = try content(text)
            body = bytes
            if let type { headers.append(("Content-Type", type)) }
        }
        return HostileRequest(
            name: row.name, method: row.method, address: try path(row) + filled(row.query), headers: headers, body: body
        )
    }

    private func content(_ text: String) throws -> (bytes: [UInt8], type: String?) {
        let form = "multipart/form-data; boundary=\(HostileRequest.boundary)"
        let file = HostileRequest.text(size)
        switch text {
        case "@text": return (file, nil)
        case "@form":
            return (HostileRequest.form([("type", "transcript"), ("title", "T")], file: file, named: "a.txt"), form)
        case "@version", "@file": return (HostileRequest.form([], file: file, named: "b.txt"), form)
        case "@resume":
            let sample = URL(fileURLWithPath: Checkout.sample("jobs/resumes/nurse.pdf"))
            return (HostileRequest.form([], file: Array(try Data(contentsOf: sample)), named: "r.pdf"), form)
        default: return (Array(try filled(text).utf8), "application/json")
        }
    }

    /// A text with the values of `<name>`.
    private func filled(_ text: String) throws -> String {
        var (result, rest) = ("", text[...])
        while let begin = rest.firstIndex(of: "<"), let end = rest[begin...].firstIndex(of: ">") {
            result += rest[..<begin]
            result += try value(String(rest[rest.index(after: begin)..<end]))
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private func path(_ row: HostileRoutes.Row) throws -> String {
        var path = row.pattern
        let tables = ["schools", "communication_templates", "document_shares"]
        for (name, thing) in [
            ("id", row.pattern.contains("{id}") ? Self.thing(row.pattern) : ""), ("school", "sharedSchool"),
            ("link", "link"),
            ("path", row.variant == "new" ? "newFile" : "file"),
        ] where path.contains("{\(name)}") {
            path = path.replacingOccurrences(of: "{\(name)}", with: try value(thing))
        }
        for (name, text) in [
            ("page", "1"), ("function", "f"), ("bucket", "documents"),
            ("table", tables.contains(row.variant) ? row.variant : "documents"),
        ] {
            path = path.replacingOccurrences(of: "{\(name)}", with: text)
        }
        return path
    }

    /// What `{id}` names in a pattern.
    static func thing(_ pattern: String) -> String {
        let names = pattern.split(separator: "/").map(String.init)
        switch names[1] {
        case "documents": return "document"
        case "schools": return "school"
        case "communication-templates": return "template"
        case "uploads": return "documentUpload"
        case "resume": return "search"
        case "account":
            return ["guardians": "guardianship", "identities": "identity"][names[2]] ?? "session"
        default: return names.contains("sign") ? "signedUpload" : "fileUpload"
        }
    }

    // MARK: What the person has

    /// All that the person can list, as one text in which times, identities and signatures are alike.
    ///
    /// - Parameter hasSessions: whether the person's sessions and guardians are a part of it.
    func state(hasSessions: Bool = true) throws -> String {
        let folder = Array(#"{"prefix":"\#(id)/transcript"}"#.utf8)
        let lists =
            [
                "/api/documents", "/api/documents/statistics", "/api/schools", "/api/communication-templates",
                "/api/me/dashboard", "/rest/v1/documents", "/rest/v1/document_shares",
            ] + (hasSessions ? ["/api/session", "/api/account/sessions", "/api/account/guardians"] : [])
        var texts = try lists.map { "\($0) \(Self.alike(try send("GET", $0)))" }
        texts.append("files \(Self.alike(try send("POST", "/storage/v1/object/list/documents", body: folder)))")
        let documents = try send("GET", "/rest/v1/documents?select=id").json?.array ?? []
        for id in documents.compactMap({ $0["id"]?.string }) {
            texts.append("links \(Self.alike(try send("GET", "/api/documents/\(id)/links")))")
        }
        return (texts.prefix(lists.count + 1) + texts.dropFirst(lists.count + 1).sorted()).joined(separator: "\n")
    }

    /// A value's text, with the elements of its lists in the order of their texts.
    private static func sorted(_ value: JSON) -> String {
        switch value {
        case .array(let values): "[\(values.map(sorted).sorted().joined(separator: ","))]"
        case .object(let members): "{\(members.map { "\"\($0.key)\":\(sorted($0.value))" }.joined(separator: ","))}"
        default: value.text
        }
    }

    private static func alike(_ answer: ServiceClient.Answer) -> String {
        var text = answer.json.map(sorted) ?? answer.text
        for (pattern, word) in [
            (#"[^"]*@example\.org"#, "MAIL"), (#"\d{4}-\d\d-\d\d[T ][0-9:.]+(Z|[+-][0-9:]+)?"#, "TIME"),
            (#"[A-Za-z0-9_-]{20,}"#, "NAME"), (#"\d{9,}"#, "NUMBER"), (#"localhost:\d+"#, "HOST"),
        ] {
            text = text.replacingOccurrences(of: pattern, with: word, options: .regularExpression)
        }
        return "\(answer.status) \(text)"
    }
}
