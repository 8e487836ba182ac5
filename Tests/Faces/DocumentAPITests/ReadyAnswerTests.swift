import DocumentAPI
import Documents
import Foundation
import HTTPServing
import HTTPTypes
import Media
import NIOCore
import People
import Synchronization
import TestDeadline
import TestSupport
import Testing
import ThumbnailCache

@Suite("Answers of the face without its router", .deadline)
struct ReadyAnswerTests {
    /// Knows one person by the token `ada`, whom it knows without waiting, and nobody else.
    private struct OnlyAda: Authenticator {
        static let ada = Caller(owner: ID("00000000-0000-7000-8000-00000000000a")!)

        func caller(with credentials: Credentials) async throws(AccessError) -> Caller {
            guard let caller = knownCaller(with: credentials) else { throw .invalid }
            return caller
        }

        func knownCaller(with credentials: Credentials) -> Caller? { credentials.bearer == "ada" ? Self.ada : nil }
    }

    /// Other machines that have no pictures; counts who asks.
    private final class AskedPictures: SharedPictures {
        private let asked = Atomic(0)

        var count: Int { asked.load(ordering: .relaxed) }

        func find(_ name: String, of digest: Digest) -> [UInt8]? {
            asked.add(1, ordering: .relaxed)
            return nil
        }

        func keep(_ bytes: [UInt8], as name: String, of digest: Digest) {}
        func probe() {}
        func remove(_ digest: Digest) {}
        func contents(from place: String?) -> (digests: [Digest], next: String?) { ([], nil) }
    }

    private static func request(_ path: String, token: String? = nil) -> HTTPRequest {
        var request = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
        if let token { request.headerFields[.authorization] = "Bearer \(token)" }
        return request
    }

    private static func answer(_ way: ReadyAnswer.Way?) -> ReadyAnswer? {
        switch way {
        case .known(let answer): answer
        case .found(_, let find): find()
        case nil: nil
        }
    }

    private static func bytes(of answer: ReadyAnswer) -> [UInt8] {
        answer.pieces.flatMap { Array($0.readableBytesView) }
    }

    private static func document(
        _ number: Int, _ title: String, _ description: String?, _ owner: ID<Person>, school: ID<School>? = nil
    ) -> NewDocument {
        var facts = Facts(mediaType: .pdf, byteCount: Int64(number))
        facts.title = title
        facts.pageWidth = 612.5
        return NewDocument(
            owner: owner, uploader: owner, type: .transcript, title: title, description: description, school: school,
            file: Document.File(
                object: .random(), path: "\(owner)/transcript/\(number)_a.pdf", name: "\(title).pdf", mediaType: .pdf,
                digest: Digest(bytes: Array(repeating: UInt8(number), count: 32))!, byteCount: Int64(number)),
            facts: number.isMultiple(of: 2) ? facts : nil)
    }

    /// Characters that JSON escapes, some that it need not, and some that look alike in UTF-8.
    private static let texts = [
        "plain", "\"quoted\" \\ back/slash", "line\nbreak\ttab\rreturn", "\u{1}\u{1F}\u{7F}", "\u{80}\u{9F}\u{85}",
        "\u{A0}©é", "Zoë 日本語 🎓", "\u{2028}\u{2029}\u{FEFF}", "<script>&amp;", "",
    ]

    @Test("A list is the JSON of its documents, whatever their texts are")
    func list() throws {
        let folder = TemporaryFolder.make("ready")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let face = try EmptyFace(in: folder)
        let owner = Caller.local.owner
        let school = try face.store.addSchools(named: ["School"], of: owner)[0].id
        for (number, text) in Self.texts.enumerated() {
            let new = Self.document(
                number, text, number.isMultiple(of: 3) ? nil : text, owner, school: number > 4 ? school : nil)
            let document = try face.store.add(new)
            if number.isMultiple(of: 4) {
                _ = try face.store.share(document.id, of: owner, with: [school], permission: .edit)
            }
        }
        let answer = try #require(
            Self.answer(face.api.readyAnswer(to: Self.request("/api/documents?sort=oldest&limit=7"))))
        let bytes = Self.bytes(of: answer)
        let json = try JSON(parsing: bytes)
        #expect(Array(json.text.utf8) == bytes, "another form than that of all JSON")
        #expect(json["success"] == .bool(true))
        let data = try #require(json["data"])
        #expect(data["total"]?.int == Self.texts.count && data["filtered"]?.int == Self.texts.count)
        #expect(data["next_cursor"]?.string?.isEmpty == false)
        var query = ListQuery()
        query.sort = .oldest
        query.limit = 7
        let page = try face.store.list(query, of: owner)
        let documents = try #require(data["documents"]?.array)
        #expect(documents.count == 7)
        for (number, (json, document)) in zip(documents, page.documents).enumerated() {
            #expect(
                json["title"]?.string == Self.texts[number] && json["file_name"]?.string == "\(Self.texts[number]).pdf")
            #expect(json["description"]?.string == (number.isMultiple(of: 3) ? nil : Self.texts[number]))
            #expect(json["id"]?.string == document.id.text && json["line_id"]?.string == document.line.text)
            #expect(json["school_id"] == (number > 4 ? .string(school.text) : .null))
            #expect(json["facts"] == (document.facts?.json ?? .null))
            #expect((json["facts"] == .null) == !number.isMultiple(of: 2))
            #expect(json["shares"]?.array?.count == (number.isMultiple(of: 4) ? 1 : 0))
            #expect(json["shared_with_schools"] == .array(document.shares.map { .string($0.school.text) }))
            #expect(
                json["created_at"]?.string.flatMap { Instant($0) }?.microseconds == document.created.microseconds / 1000
                    * 1000)
            #expect(json["version"]?.int == 1 && json["is_current"] == .bool(true) && json["failure"] == .null)
            #expect(json["thumbnail_url"]?.string?.hasSuffix("?content=\(document.file.digest.hex.prefix(16))") == true)
        }
    }

    @Test("A long list is in pieces, whose memory is that of all answers")
    func longList() throws {
        let folder = TemporaryFolder.make("ready")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let face = try EmptyFace(in: folder)
        for number in 0..<100 {
            let description = String(repeating: "é", count: 500)
            _ = try face.store.add(Self.document(number, "\(number)", description, Caller.local.owner))
        }
        let answer = try #require(Self.answer(face.api.readyAnswer(to: Self.request("/api/documents?limit=200"))))
        #expect(answer.pieces.count > 2 && answer.pieces.allSatisfy { $0.readableBytes <= AnswerBody.pieceByteCount })
        let bytes = Self.bytes(of: answer)
        #expect(answer.head.headerFields[.contentLength] == "\(bytes.count)")
        #expect(Array(try JSON(parsing: bytes).text.utf8) == bytes)
        #expect(AnswerMemory.shared.usedByteCount >= (answer.pieces.count - 1) * AnswerBody.pieceByteCount)
    }

    @Test(
        "What is wrong, or no list and no picture, is left to the routes",
        arguments: [
            "/api/documents?sort=size", "/api/documents?colour=red", "/api/documents?q=%FF", "/api/documents?cursor=00",
            "/api/documents/", "/api/documentsx", "/api/documents/statistics", "/api//documents", "/api/schools", "/",
            "/api/documents/0199f6a2-0000-7000-8000-000000000000", "/api/documents/x/thumbnail",
            "/api/documents/0199f6a2-0000-7000-8000-000000000000/thumbnail",
            "/api/documents/0199f6a2-0000-7000-8000-000000000000/thumbnail/", "//api/documents",
            "/api/documents/0199f6a2-0000-7000-8000-000000000000/pages/1/text",
        ])
    func others(path: String) throws {
        let folder = TemporaryFolder.make("ready")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(Self.answer(try EmptyFace(in: folder).api.readyAnswer(to: Self.request(path))) == nil)
    }

    @Test("Somebody who is not known at once is left to the routes, and nobody gets another person's documents")
    func callers() throws {
        let folder = TemporaryFolder.make("ready")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let face = try EmptyFace(in: folder, authenticator: OnlyAda())
        let foreign = try face.store.add(Self.document(1, "foreign", nil, Caller.local.owner))
        let own = try face.store.add(Self.document(2, "own", nil, OnlyAda.ada.owner))
        for token in [nil, "", "bob"] {
            #expect(Self.answer(face.api.readyAnswer(to: Self.request("/api/documents", token: token))) == nil)
        }
        let answer = try #require(Self.answer(face.api.readyAnswer(to: Self.request("/api/documents", token: "ada"))))
        let data = try #require(JSON(parsing: Self.bytes(of: answer))["data"])
        #expect(data["documents"]?.array?.compactMap { $0["id"]?.string } == [own.id.text])
        #expect(data["total"]?.int == 1)
        let picture = Self.request("/api/documents/\(foreign.id)/thumbnail", token: "ada")
        #expect(Self.answer(face.api.readyAnswer(to: picture)) == nil)
    }

    @Test("A picture that this machine lacks is left to its route: nobody waits here for the store of other machines")
    func picturesOfOthers() throws {
        let folder = TemporaryFolder.make("ready")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pictures = AskedPictures()
        let face = try EmptyFace(in: folder, shared: pictures)
        let document = try face.store.add(Self.document(2, "own", nil, Caller.local.owner))
        let request = Self.request("/api/documents/\(document.id)/thumbnail")
        #expect(Self.answer(face.api.readyAnswer(to: request)) == nil)
        #expect(pictures.count == 0)
    }
}
