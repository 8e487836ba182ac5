import Foundation
import Linux
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("documentd: a document's file stays the one that was checked", .deadline)
struct CheckedFileTests {
    private static let person = "00000000-0000-7000-8000-000000000001"
    private static let folder = "\(person)/transcript"
    private static let checked = try! DocumentdTests.sample("page-1.pdf")
    private static let other = Array("%PDF-1.4\nother bytes that nobody has checked\n%%EOF\n".utf8)

    private let documentd: DocumentdProgram
    private let key: String

    init() throws {
        documentd = try DocumentdProgram(["--worker", "no"])
        key = try documentd.key()
    }

    private func storage(
        _ method: String, _ path: String, _ fields: [String: String] = [:], body: [UInt8]? = nil
    ) throws -> ServiceClient.Answer {
        try documentd.client.send(
            method, "/storage/v1/\(path)", headers: fields.merging(["apikey": key]) { $1 }, body: body)
    }

    private func storage(_ method: String, _ path: String, json: String) throws -> ServiceClient.Answer {
        try storage(method, path, ["Content-Type": "application/json"], body: Array(json.utf8))
    }

    private func put(_ name: String, _ bytes: [UInt8], _ fields: [String: String] = [:]) throws -> ServiceClient.Answer
    {
        try storage("POST", "object/documents/\(Self.folder)/\(name)", fields, body: bytes)
    }

    /// Makes a document of a file in the bucket, as the app does.
    private func addDocument(_ name: String) throws -> ServiceClient.Answer {
        let row = #"{"type": "transcript", "title": "Grades", "file_url": "\#(Self.folder)/\#(name)"}"#
        return try documentd.client.send(
            "POST", "/rest/v1/documents?select=id,file_url",
            headers: [
                "apikey": key, "Content-Type": "application/json", "Prefer": "return=representation",
            ], body: Array(row.utf8))
    }

    /// The identity and the `file_url` of a document that was added.
    private func added(_ answer: ServiceClient.Answer) throws -> (id: String, address: String) {
        let found = try #require(answer.json?.array?.first, "\(answer.text)")
        return (try #require(found["id"]?.string), try #require(found["file_url"]?.string))
    }

    private func read(_ address: String) throws -> ServiceClient.Answer {
        let place = try #require(address.range(of: "/storage/"))
        return try documentd.client.send("GET", String(address[place.lowerBound...]))
    }

    @Test("Other bytes never come under the name of a checked document, by whichever way its owner tries")
    func swapping() throws {
        defer { documentd.remove() }
        #expect(try put("1_a.pdf", Self.checked).status == 200)
        let (id, address) = try added(addDocument("1_a.pdf"))
        let link = try documentd.client.send(
            "POST", "/api/documents/\(id)/links", json: #"{"permission": "download", "days": 1}"#)
        let query = try #require(link.data?["url"]?.string?.components(separatedBy: "?").last, "\(link.text)")
        func shared() throws -> ServiceClient.Answer {
            try documentd.client.send("GET", "/api/shared/file?\(query)", headers: ["Sec-Fetch-Site": "same-origin"])
        }
        #expect(try read(address).body == Self.checked && shared().body == Self.checked)
        // Onto the path, in every way.
        #expect(try put("2_b.pdf", Self.other).status == 200)
        let upsert = try put("1_a.pdf", Self.other, ["x-upsert": "true"])
        #expect(upsert.json?["error"]?.string == "ResourceReferenced", "\(upsert.text)")
        let onto =
            #""bucketId": "documents", "sourceKey": "\#(Self.folder)/2_b.pdf", "destinationKey": "\#(Self.folder)/1_a.pdf""#
        for call in ["move", "copy"] {
            let answer = try storage("POST", "object/\(call)", json: "{\(onto)}")
            #expect(answer.status == 400 && answer.json?["statusCode"]?.string == "409", "\(call): \(answer.text)")
        }
        let copied = try storage(
            "POST", "object/copy", ["x-upsert": "true", "Content-Type": "application/json"],
            body: Array("{\(onto)}".utf8))
        #expect(copied.json?["error"]?.string == "ResourceReferenced", "\(copied.text)")
        // Away from it.
        let away =
            #""bucketId": "documents", "sourceKey": "\#(Self.folder)/1_a.pdf", "destinationKey": "\#(Self.folder)/3_c.pdf""#
        let moved = try storage("POST", "object/move", json: "{\(away)}")
        #expect(moved.json?["error"]?.string == "ResourceReferenced", "\(moved.text)")
        #expect(try read(address).body == Self.checked && shared().body == Self.checked)
        // Removed, and then to its path: the document has no file any more, and never gets another one.
        #expect(try storage("DELETE", "object/documents/\(Self.folder)/1_a.pdf").status == 200)
        #expect(try storage("POST", "object/move", json: "{\(onto)}").status == 200)
        #expect(try storage("GET", "object/documents/\(Self.folder)/1_a.pdf").body == Self.other)
        let gone = try documentd.client.send("GET", "/api/documents/\(id)/file")
        #expect(gone.status == 404 && gone.message == "File no longer available", "\(gone.text)")
        #expect(try read(address).status == 400 && shared().status == 404)
        for picture in ["thumbnail", "pages/1"] {
            #expect(try documentd.client.send("GET", "/api/documents/\(id)/\(picture)").status == 404, "\(picture)")
        }
        // Its row can be removed, and leaves the new file alone.
        #expect(try documentd.client.send("DELETE", "/api/documents/\(id)").status == 200)
        #expect(try storage("GET", "object/documents/\(Self.folder)/1_a.pdf").body == Self.other)
        try documentd.waitForStoredFiles(1)
    }

    @Test("Of a move and a row that name one file at once, one succeeds", .timeLimit(.minutes(2)))
    func racing() throws {
        defer { documentd.remove() }
        let (client, key) = (documentd.client, key)
        for round in 0..<20 {
            let name = "\(round)_a.pdf"
            #expect(try put(name, Self.checked).status == 200)
            let (from, to) = ("\(Self.folder)/\(name)", "\(Self.folder)/\(round)_b.pdf")
            let move = #"{"bucketId": "documents", "sourceKey": "\#(from)", "destinationKey": "\#(to)"}"#
            let isMoved = Promise<Bool>()
            Thread.detachNewThread {
                let answer = try? client.send(
                    "POST", "/storage/v1/object/move", headers: ["apikey": key, "Content-Type": "application/json"],
                    body: Array(move.utf8))
                isMoved.fulfil(answer?.status == 200)
            }
            let answer = try addDocument(name)
            let hasMoved = try isMoved.value()
            #expect(hasMoved == (answer.status != 201), "\(answer.text)")
            if !hasMoved {
                let read = try read(added(answer).address)
                #expect(read.body == Self.checked)
            }
        }
    }
}
