import Documents
import Library
import MatchStore
import Media
import People
import TestSupport

/// Rows of every kind that people have.
enum CostData {
    /// Adds persons, each with a few things of each kind. All of them have the same contents, and the same names.
    static func addOthers(_ numbers: Range<Int>, to service: AccessService) throws {
        for number in numbers {
            let now = Instant.now
            let person = ID<Person>.make(at: now)
            let account = Account(
                id: person, address: MailAddress("other\(number)@example.org")!, metadata: .object([]),
                isDisabled: false, confirmed: now, created: now, updated: now)
            let hash = PasswordHash(text: "$argon2id$nobody")
            try service.desk.store.addAccount(account, hash)
            try service.desk.store.addSession(
                AccountSession(of: person, at: now, program: "p", inBrowser: true), hash: hash)
            try service.desk.store.addGuardianship(
                Guardianship(
                    id: .make(at: now), athlete: person, right: .view,
                    address: MailAddress("guardian\(number)@example.org")!, created: now))
            try add(2, of: person, to: service)
        }
    }

    /// Adds so many things of each kind to a person.
    static func add(_ count: Int, of owner: ID<Person>, to service: AccessService) throws {
        let store = service.store
        try store.transaction {
            for number in 0..<count {
                let school = try store.addSchools(named: ["Cost \(number)"], of: owner)[0]
                _ = try store.addTemplate(named: "Cost", type: .email, body: "Text", of: owner)
                let document = try store.add(version(number, of: owner, school: school.id))
                _ = try store.add(version(number + count, of: owner, after: document.id))
                _ = try store.share(document.id, of: owner, with: [school.id], permission: .view)
                if number < 40 {
                    _ = try store.addLink(to: document.id, of: owner, permission: .view, lifetime: .seconds(3600))
                }
                let gone = try store.add(version(number + 2 * count, of: owner))
                _ = try store.removeVersion(gone.id, of: owner)
                if number < 90 {
                    _ = try store.addUpload(
                        .make(at: .now), of: owner, by: owner, for: .document(texts: [:]), length: 10,
                        lifetime: .seconds(3600), allowed: nil)
                }
                var loose = NewObject(
                    id: .random(), owner: owner, path: "\(owner)/resume/\(number)_loose.pdf", digest: Self.digest,
                    byteCount: 10, mediaType: .pdf, facts: nil, verdict: .passed)
                loose.notes = FileNotes(cacheControl: "max-age=1")
                try store.add(loose)
            }
        }
        for _ in 0..<min(count, 20) {
            _ = try service.addSearch(fileName: "a.pdf", of: owner)
        }
    }

    private static func version(
        _ number: Int, of owner: ID<Person>, school: ID<School>? = nil, after predecessor: ID<Document>? = nil
    ) -> NewDocument {
        NewDocument(
            owner: owner, uploader: owner, type: .transcript, title: "Cost \(number)", school: school,
            file: Document.File(
                object: .random(), path: "\(owner)/transcript/\(number)_cost.pdf", name: "cost.pdf",
                mediaType: .pdf, digest: Self.digest, byteCount: 10),
            predecessor: predecessor)
    }

    /// Many people have the same file.
    private static let digest = Digest(hex: String(repeating: "c", count: 64))!
}
