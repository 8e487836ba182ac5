import Foundation
import Media
import TestSupport

/// Somebody with an account, and what they have: each thing is made when a request first names it.
final class HostilePerson {
    let service: HostileService
    let email = "\(UUID().uuidString.lowercased())@example.org"
    let password = "correct horse"
    /// The bytes of the texts that the person sends.
    let size: Int
    /// For whom the person acts; `nil` for themselves.
    let athlete: HostilePerson?
    private var values: [String: String] = [:]

    /// Signs up.
    init(_ service: HostileService, size: Int = 5, actingFor athlete: HostilePerson? = nil) throws {
        (self.service, self.size, self.athlete) = (service, size, athlete)
        let body = JSON.object(["email": .string(email), "password": .string(password)]).text
        let answer = try service.client.send("POST", "/auth/v1/signup", json: body)
        guard answer.status == 200 else { throw Refusal(place: "signup", answer: answer) }
        values = [
            "person": answer.json?["user"]?["id"]?.string ?? "", "token": answer.json?["access_token"]?.string ?? "",
            "refresh": answer.json?["refresh_token"]?.string ?? "", "email": email, "password": password,
            "newEmail": "new-\(email)", "size": "\(size)", "identity": "0199f6a2-7c00-7a31-9d52-6f1c2b3a4d5e",
        ]
    }

    struct Refusal: Error, CustomStringConvertible {
        let place: String
        let answer: ServiceClient.Answer
        var description: String { "\(place): \(answer.status) \(answer.text)" }
    }

    var id: String { values["person"]! }

    /// What says who calls.
    var credentials: [(name: String, value: String)] {
        [("Authorization", "Bearer \(values["token"]!)"), ("apikey", service.key)]
            + (athlete.map { [("Acting-For", $0.id)] } ?? [])
    }

    /// Sends a request of this person.
    @discardableResult
    func send(
        _ method: String, _ address: String, _ headers: [String: String] = [:], body: [UInt8]? = nil
    ) throws -> ServiceClient.Answer {
        let all = Dictionary(credentials.map { ($0.name, $0.value) }) { first, _ in first }.merging(headers) { $1 }
        return try service.client.send(method, address, headers: all, body: body)
    }

    /// Sends a request that has to succeed.
    @discardableResult
    func must(
        _ method: String, _ address: String, _ headers: [String: String] = [:], body: [UInt8]? = nil
    ) throws -> ServiceClient.Answer {
        let answer = try send(method, address, headers, body: body)
        guard (200..<300).contains(answer.status) else { throw Refusal(place: "\(method) \(address)", answer: answer) }
        return answer
    }

    private func must(_ address: String, json: String) throws -> JSON? {
        try must("POST", address, ["Content-Type": "application/json"], body: Array(json.utf8)).json
    }

    // MARK: Things

    /// Whatever has a name in the table of routes.
    func value(_ name: String) throws -> String {
        // What a guardian names is the athlete's.
        if let athlete, !Self.own.contains(name) { return try athlete.value(name) }
        if let known = values[name] { return known }
        let made = try make(name)
        values[name] = made
        return made
    }

    private static let own: Set = [
        "token", "spareToken", "size", "newEmail", "identity", "file", "newFile", "readToken", "renderToken",
        "writeToken", "signedToken", "signedMetadata", "fileMetadata",
    ]

    /// Makes the next one of a thing.
    func make(_ name: String) throws -> String {
        switch name {
        case "document", "school", "freeSchool", "template", "link", "linkToken", "sharedSchool", "sharedDocument":
            try makeDocument(name)
        case "documentUpload", "fileUpload", "signedUpload", "documentMetadata", "fileMetadata", "signedMetadata",
            "signedToken":
            try makeUpload(name)
        case "file", "newFile", "readToken", "renderToken", "writeToken", "fileToken": try makeFile(name)
        default: try makeAccountThing(name)
        }
    }

    private func makeDocument(_ name: String) throws -> String {
        switch name {
        case "document":
            let pdf = try Array(Data(contentsOf: URL(fileURLWithPath: Checkout.sample("page-1.pdf"))))
            let address = "/api/documents?type=transcript&title=Paper&file_name=a.pdf"
            return try must("POST", address, body: pdf).data?["id"]?.string ?? ""
        case "school", "freeSchool":
            return try must("/api/schools", json: #"{"name":"\#(name)"}"#)?["data"]?["id"]?.string ?? ""
        case "template":
            return try must("/api/communication-templates", json: #"{"name":"Hello","type":"email","body":"Hello"}"#)?[
                "data"]?["id"]?.string ?? ""
        case "sharedSchool":
            let (document, school) = (try value("document"), try value("school"))
            _ = try must("/api/documents/\(document)/shares", json: #"{"school_ids":["\#(school)"]}"#)
            return school
        case "sharedDocument":
            _ = try value("sharedSchool")
            return try value("document")
        default:
            let link = try must(
                "/api/documents/\(try value("document"))/links", json: #"{"permission":"download"}"#)?["data"]
            let token = link?["url"]?.string?.split(separator: "=").last.map(String.init) ?? ""
            values["linkToken"] = token
            values["link"] = link?["id"]?.string ?? ""
            return values[name] ?? ""
        }
    }

    private func makeUpload(_ name: String) throws -> String {
        func metadata(_ pairs: [(String, String)]) -> String {
            pairs.map { "\($0) \(Data($1.utf8).base64EncodedString())" }.joined(separator: ",")
        }
        func begin(_ address: String, _ headers: [String: String]) throws -> String {
            let fields = ["Tus-Resumable": "1.0.0", "Upload-Length": "\(size)"].merging(headers) { $1 }
            return try must("POST", address, fields, body: [])["location"]?.split(separator: "/").last.map(String.init)
                ?? ""
        }
        switch name {
        case "documentMetadata": return metadata([("type", "transcript"), ("title", "T"), ("file_name", "a.txt")])
        case "fileMetadata": return metadata([("bucketName", "documents"), ("objectName", try value("newFile"))])
        case "signedMetadata": return metadata([("bucketName", "documents"), ("objectName", try value("file"))])
        case "signedToken": return try value("writeToken")
        case "documentUpload": return try begin("/api/uploads", ["Upload-Metadata": value("documentMetadata")])
        case "fileUpload":
            // A path of its own, so that what others commit does not concern it.
            let path = "\(id)/transcript/\(UUID().uuidString).txt"
            return try begin(
                "/storage/v1/upload/resumable",
                ["Upload-Metadata": metadata([("bucketName", "documents"), ("objectName", path)])])
        default:
            return try begin(
                "/storage/v1/upload/resumable/sign",
                ["Upload-Metadata": value("signedMetadata"), "x-signature": value("signedToken")])
        }
    }

    private func makeFile(_ name: String) throws -> String {
        func token(_ address: String?) -> String {
            address?.components(separatedBy: "token=").last?.components(separatedBy: "&").first ?? ""
        }
        let owner = athlete?.id ?? id
        switch name {
        case "newFile": return "\(owner)/transcript/2_new.txt"
        case "file":
            let path = "\(owner)/transcript/1_notes.txt"
            try must(
                "POST", "/storage/v1/object/documents/\(path)", ["Content-Type": "text/plain", "x-upsert": "true"],
                body: Array("The old text.\n".utf8))
            return path
        case "fileToken":
            let address = "/api/documents/\(try value("document"))/file"
            return token(
                try must("/api/addresses", json: #"{"addresses":["\#(address)"]}"#)?["data"]?["addresses"]?.array?
                    .first?.string)
        case "writeToken":
            return token(
                try must(
                    "POST", "/storage/v1/object/upload/sign/documents/\(value("file"))", ["x-upsert": "true"]
                ).json?["url"]?.string)
        default:
            let json = name == "readToken" ? #"{"expiresIn":600}"# : #"{"expiresIn":600,"transform":{"width":100}}"#
            return token(
                try must("/storage/v1/object/sign/documents/\(value("file"))", json: json)?["signedURL"]?.string)
        }
    }

    private func makeAccountThing(_ name: String) throws -> String {
        switch name {
        case "guardianship":
            return try must("/api/account/guardians", json: #"{"email":"x-\#(email)","right":"view"}"#)?["data"]?["id"]?
                .string ?? ""
        case "invitation": return try HostilePerson(service).invitation(of: self)
        case "search", "viewToken":
            let search = try must("POST", "/api/resume/sample", body: []).json
            values["viewToken"] = search?["view_token"]?.string ?? ""
            values["search"] = search?["user_search_id"]?.string ?? ""
            return values[name] ?? ""
        case "spareToken":
            let json = JSON.object(["email": .string(email), "password": .string(password)]).text
            return try must("/auth/v1/token?grant_type=password", json: json)?["access_token"]?.string ?? ""
        case "session":
            _ = try value("spareToken")
            let list = try must("GET", "/api/account/sessions").data?.array ?? []
            return list.first { $0["is_current"] == .bool(false) }?["id"]?.string ?? ""
        default: throw Failure(.usage, detail: "nothing is called \(name)")
        }
    }

    /// Signs in again, after all sessions have ended.
    func signInAgain() throws {
        let json = JSON.object(["email": .string(email), "password": .string(password)]).text
        let answer = try service.client.send("POST", "/auth/v1/token?grant_type=password", json: json)
        guard answer.status == 200 else { throw Refusal(place: "sign in", answer: answer) }
        values["token"] = answer.json?["access_token"]?.string ?? ""
    }

    /// Somebody who manages this person's things.
    func makeGuardian() throws -> HostilePerson {
        let guardian = try HostilePerson(service, size: size, actingFor: self)
        let token = try invitation(of: guardian)
        try guardian.must(
            "POST", "/api/account/invitation/acceptance", ["Acting-For": guardian.id],
            body: Array(#"{"token":"\#(token)"}"#.utf8))
        return guardian
    }

    /// Ends the rights of all guardians.
    func endGuardianships() throws {
        for guardianship in try must("GET", "/api/account/guardians").data?.array ?? [] {
            try must("DELETE", "/api/account/guardians/\(guardianship["id"]?.string ?? "")")
        }
    }

    /// The token by which another person becomes this one's guardian, with the right to manage.
    func invitation(of other: HostilePerson) throws -> String {
        let json = #"{"email":"\#(other.email)","right":"manage"}"#
        return try must("/api/account/guardians", json: json)?["data"]?["url"]?.string?.split(separator: "#").last
            .map(String.init) ?? ""
    }
}
