import Documents
import Foundation
import Library
import MatchStore
import Matching
import Media
import People
import Supabase
import TestSupport

/// What one person has on the service, and a stranger beside them.
struct AccessThings: Sendable {
    /// A word in all that the person has.
    static let marker = "Sekretariat"

    let person: AccessPerson
    let stranger: AccessPerson
    var owner: ID<Person> { person.id }
    var other: ID<Person> { stranger.id }
    private(set) var document = ""
    private(set) var documentPath = ""
    private(set) var school = ""
    /// A school with which nothing is shared.
    private(set) var freeSchool = ""
    private(set) var template = ""
    private(set) var upload = ""
    private(set) var fileUpload = ""
    /// A search for jobs that is completed, and the posting that it has found.
    private(set) var search: ResumeSearch?
    private(set) var posting = ""
    /// The guardianship of the guardian who may view.
    private(set) var guardianship = ""
    /// Persons who act for the owner, by the matrix's names.
    private let guardians: [String: AccessPerson]
    /// Links to the document: `view` and `download` go on, `ended` is over, and `removed` was ended by the person.
    private(set) var links: [String: ShareLink] = [:]

    /// A file in the bucket that no document has.
    var filePath: String { "\(owner)/transcript/1_notes.txt" }
    /// A path in the bucket where nothing is.
    var newPath: String { "\(owner)/transcript/2_new.txt" }

    /// Makes a person with a document, which is shared and has links, a template, two started uploads and a loose file.
    init(on service: AccessService) async throws {
        guardians = service.guardians
        let pdf = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("page-1.pdf"))))
        if let issuer = service.issuer {
            (person, stranger) = (try await AccessPerson(by: issuer), try await AccessPerson(by: issuer))
        } else {
            person = try await AccessPerson(Self.marker, on: service)
            stranger = try await AccessPerson("Stranger", on: service)
        }
        let own = ["Authorization": "Bearer \(person.token)"]
        func make(_ address: String, _ headers: [String: String] = [:], _ body: [UInt8]) async throws
            -> ServiceClient.Answer
        {
            let answer = try await service.send(
                AccessRequest(
                    method: "POST", address: address, headers: own.merging(headers) { $1 }, body: body))
            guard (200..<300).contains(answer.status) else {
                throw Failure(.unavailable, detail: "\(address): \(answer.status) \(answer.text)")
            }
            return answer
        }
        let key = ["apikey": AccessService.keys.key(of: .anonymous)]
        let named = "file_name=\(Self.marker).pdf&title=\(Self.marker)&description=\(Self.marker)"
        let stored = try await make("/api/documents?type=transcript&\(named)", [:], pdf)
        document = stored.data?["id"]?.string ?? ""
        school =
            try await make("/api/schools", [:], Array(#"{"name":"\#(Self.marker)"}"#.utf8)).data?["id"]?.string ?? ""
        freeSchool = try await make("/api/schools", [:], Array(#"{"name":"Other"}"#.utf8)).data?["id"]?.string ?? ""
        let message = #"{"name":"\#(Self.marker)","type":"email","body":"\#(Self.marker)"}"#
        template = try await make("/api/communication-templates", [:], Array(message.utf8)).data?["id"]?.string ?? ""
        let shares = #"{"school_ids":["\#(school)"],"permission":"view"}"#
        _ = try await make("/api/documents/\(document)/shares", [:], Array(shares.utf8))
        _ = try await make(
            "/storage/v1/object/documents/\(filePath)", key.merging(["Content-Type": "text/plain"]) { $1 },
            Array("\(Self.marker)\n".utf8))
        upload = Self.lastName(
            try await make(
                "/api/uploads",
                Self.creation(of: [
                    "file_name": "\(Self.marker).txt", "type": "transcript", "title": Self.marker,
                ]), []))
        fileUpload = Self.lastName(
            try await make("/storage/v1/upload/resumable", key.merging(fileCreation) { $1 }, []))
        let rows = try await service.send(
            AccessRequest(
                method: "GET", address: "/rest/v1/documents?select=file_url", headers: own.merging(key) { $1 }))
        let address = rows.json?.array?.first?["file_url"]?.string ?? ""
        documentPath = address.components(separatedBy: "/documents/").last?.components(separatedBy: "?").first ?? ""
        try addLinks(in: service.store)
        try addGuardians(in: service.desk.store)
        try addSearch(in: service)
        guard ![document, documentPath, school, freeSchool, template, upload, fileUpload].contains("") else {
            throw Failure(.unavailable, detail: "the owner's things were not made")
        }
    }

    private mutating func addLinks(in store: DocumentStore) throws {
        guard let id = ID<Document>(document) else { return }
        for name in ["view", "download", "ended", "removed"] {
            links[name] = try store.addLink(
                to: id, of: owner, permission: name == "view" ? .view : .download,
                lifetime: name == "ended" ? .zero : .seconds(3600))
        }
        if let link = links["removed"] { try store.removeLink(link.id, to: id, of: owner) }
    }

    private mutating func addSearch(in service: AccessService) throws {
        let searches = service.searches.searches
        let added = try service.addSearch(fileName: "\(Self.marker).pdf", of: owner)
        let profile = String(decoding: try JSONEncoder().encode(Profile()), as: UTF8.self)
        _ = try searches.keep(StoredReading(pages: [Self.marker], profile: profile), title: nil, of: added)
        _ = try service.postings.store([Posting(source: "board", sourceID: "1", title: "Engineer")], at: .now)
        posting = try service.postings.posting(Posting.Key(source: "board", id: "1")).id.text
        let match = SearchMatch(
            id: .make(at: .now), posting: posting, title: "Engineer", company: "", location: "", isRemote: false,
            posted: nil, url: nil, query: nil, isDirect: true, isLocal: false, parts: "{}")
        _ = try searches.complete(added, title: nil, [match])
        search = added
    }

    /// The identity of a guardian, by the matrix's name.
    func guardian(_ name: String) -> ID<Person> { (guardians[name] ?? stranger).id }

    private mutating func addGuardians(in store: AccountStore) throws {
        for (name, guardian) in guardians {
            let id = ID<Guardianship>.make(at: .now)
            try store.addGuardianship(
                Guardianship(
                    id: id, athlete: owner, right: name == "viewer" ? .view : .manage,
                    address: MailAddress("\(id)@example.org")!, created: .now))
            _ = try store.acceptGuardianship(id, by: guardian.id, at: .now)
            if name == "former" { _ = try store.endGuardianship(id, by: owner) }
            if name == "viewer" { guardianship = id.text }
        }
    }

    /// What a caller sends who acts for the owner.
    func acting(_ caller: String) -> [String: String] {
        let person = guardians[caller] ?? stranger
        return ["Authorization": "Bearer \(person.token)", "Acting-For": owner.text]
    }

    private static func lastName(_ answer: ServiceClient.Answer) -> String {
        answer["location"]?.components(separatedBy: "/").last ?? ""
    }

    /// The header fields that begin a resumable upload of 5 bytes.
    static func creation(of metadata: [String: String]) -> [String: String] {
        let texts = metadata.map { "\($0.key) \(Data($0.value.utf8).base64EncodedString())" }
        return ["Tus-Resumable": "1.0.0", "Upload-Length": "5", "Upload-Metadata": texts.joined(separator: ",")]
    }

    var fileCreation: [String: String] {
        Self.creation(of: ["bucketName": "documents", "objectName": newPath])
    }

    /// All that the owner can list, as one text.
    func state(on service: AccessService) async throws -> String {
        let own = [
            "Authorization": "Bearer \(person.token)",
            "apikey": AccessService.keys.key(of: .anonymous), "Tus-Resumable": "1.0.0",
        ]
        let folder = Array(#"{"prefix":"\#(owner)/transcript"}"#.utf8)
        let requests = [
            AccessRequest(method: "GET", address: "/api/documents"),
            AccessRequest(method: "GET", address: "/api/schools"),
            AccessRequest(method: "GET", address: "/api/documents/\(document)/versions"),
            AccessRequest(method: "GET", address: "/api/documents/\(document)/links"),
            AccessRequest(method: "GET", address: "/api/communication-templates"),
            AccessRequest(method: "GET", address: "/api/session"),
            AccessRequest(method: "GET", address: "/api/account/sessions"),
            AccessRequest(method: "GET", address: "/api/account/guardians"),
            AccessRequest(method: "GET", address: "/api/me/dashboard"),
            AccessRequest(method: "GET", address: "/rest/v1/document_shares"),
            AccessRequest(method: "POST", address: "/storage/v1/object/list/documents", body: folder),
            AccessRequest(method: "HEAD", address: "/api/uploads/\(upload)"),
            AccessRequest(method: "HEAD", address: "/storage/v1/upload/resumable/\(fileUpload)"),
        ]
        var texts: [String] = []
        for var request in requests {
            request.headers = own
            let answer = try await service.send(request)
            texts.append("\(answer.status) \(answer["upload-offset"] ?? "") \(answer.text)")
        }
        return texts.joined(separator: "\n")
    }
}
