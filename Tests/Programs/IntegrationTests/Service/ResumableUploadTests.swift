import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("Resumable uploads of documentd", .serialized, .deadline)
struct ResumableUploadTests {
    /// The header fields of a new upload.
    private static func creation(_ name: String, _ type: String, length: Int) -> [String: String] {
        let texts = [("file_name", name), ("type", type), ("title", "Paper")].map { key, value in
            "\(key) \(Data(value.utf8).base64EncodedString())"
        }
        return [
            "Tus-Resumable": "1.0.0", "Upload-Length": "\(length)", "Upload-Metadata": texts.joined(separator: ","),
            "Content-Length": "0",
        ]
    }

    private static func piece(at offset: Int) -> [String: String] {
        [
            "Tus-Resumable": "1.0.0", "Upload-Offset": "\(offset)", "Content-Type": "application/offset+octet-stream",
        ]
    }

    @Test("Another client is told how far an upload has come, and of the document at its end")
    func progress() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let client = documentd.client
        let bytes = try DocumentdTests.sample("pages-24.pdf")
        let created = try client.send(
            "POST", "/api/uploads", headers: Self.creation("pages-24.pdf", "transcript", length: bytes.count))
        #expect(created.status == 201, "\(created.text)")
        let address = try #require(created["location"]?.components(separatedBy: "localhost:\(client.port)").last)
        let half = bytes.count / 2
        let first = try client.send("PATCH", address, headers: Self.piece(at: 0), body: Array(bytes[..<half]))
        #expect(first.status == 204)
        func told(until text: String) throws -> String {
            let request = "GET /api/events HTTP/1.1\r\nHost: \(client.host)\r\n\r\n"
            return try #require(
                try client.exchange(Array(request.utf8)) { String(decoding: $0, as: UTF8.self).contains(text) }
            ).text
        }
        let told1 = try told(until: "\"length\"")
        let data = #""file_name": "pages-24.pdf", "offset": \#(half), "length": \#(bytes.count)}"#
        #expect(told1.contains(data), "\(told1)")
        #expect(!told1.contains("id: "), "progress has no number")
        let last = try client.send("PATCH", address, headers: Self.piece(at: half), body: Array(bytes[half...]))
        #expect(last.status == 204 && last["document-id"] != nil, "\(last.text)")
        let request = "GET /api/events HTTP/1.1\r\nHost: \(client.host)\r\nLast-Event-ID: 0\r\n\r\n"
        let told2 = try #require(
            try client.exchange(Array(request.utf8)) { String(decoding: $0, as: UTF8.self).contains("document.stored") }
        )
        #expect(!told2.text.contains("upload.progress"), "an upload that has ended is told of no more")
        #expect(try documentd.end() == 0)
    }

    @Test("An upload whose bytes are all there becomes its document, though its client never comes back")
    func arrival() throws {
        let program = try CompassProgram()
        let documentd = try DocumentdProgram(["--worker", "no"], in: program)
        let bytes = try DocumentdTests.sample("page-1.pdf")
        var addresses: [String] = []
        for _ in 0..<2 {
            let created = try documentd.client.send(
                "POST", "/api/uploads", headers: Self.creation("page-1.pdf", "transcript", length: bytes.count))
            #expect(created.status == 201, "\(created.text)")
            addresses.append(created["location"] ?? "")
        }
        documentd.stop()
        // What a server leaves that died between the last byte and the document; the other upload lacks a byte.
        let files = documentd.storedFiles.filter { $0.contains("incoming/") }
        try #require(files.count == 2)
        for (index, file) in files.enumerated() {
            let path = program.path(file)
            try Data(bytes.dropLast(index)).write(to: URL(fileURLWithPath: path), options: [])
            try FileManager.default.setAttributes(
                [.modificationDate: Date().addingTimeInterval(-120)], ofItemAtPath: path)
        }
        let again = try DocumentdProgram(["--worker", "no"], in: program)
        defer { again.remove() }
        let list = try Waiting.forValue("no document: \(again.text)") { () -> [JSON]? in
            let documents = try again.client.send("GET", "/api/documents").data?["documents"]?.array
            return documents?.isEmpty == false ? documents : nil
        }
        #expect(list.count == 1 && list[0]["title"]?.string == "Paper" && list[0]["file_size"]?.int == bytes.count)
        #expect(again.storedFiles.filter { $0.contains("incoming/") }.count == 1, "the other can be continued")
        #expect(try again.end() == 0)
    }
}
