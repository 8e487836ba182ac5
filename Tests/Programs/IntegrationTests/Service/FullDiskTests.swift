import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("documentd on a full disk", .serialized, .deadline)
struct FullDiskTests {
    /// A disk of 16 MiB for database and files, of which 2 MiB are not for files.
    private static let smallDisk = "mkdir -p \"$DATA\" && mount -t tmpfs -o size=16m disk \"$DATA\""
    private static let small = try! DocumentdTests.sample("page-1.pdf")
    /// A table with more bytes than the disk holds.
    private static let large = Array(repeatElement(Array("name,points\n".utf8), count: 1_700_000).joined())
    private static let message = "The server's disk is full. Please try again later."

    @Test("An upload that fills the disk is refused with 507 in its middle and leaves nothing; a small one is stored")
    func uploads() throws {
        let documentd = try DocumentdProgram(["--worker", "no"], after: Self.smallDisk)
        defer { documentd.remove() }
        let client = documentd.client
        let raw = try client.send("POST", "/api/documents?type=stats_sheet&file_name=a.csv", body: Self.large)
        let form = try client.post("/api/documents", fields: [("type", "stats_sheet")], file: ("a.csv", Self.large))
        for answer in [raw, form] {
            #expect(answer.status == 507 && answer.code == "full" && answer.message == Self.message, "\(answer.text)")
            try documentd.waitForStoredFiles(0)
        }
        let lines = documentd.lines(at: "error").filter { $0["message"]?.string == "request failed" }
        #expect(lines.count == 2, "\(documentd.text)")
        #expect(lines.allSatisfy { $0["reason"]?.string?.contains("No space left on device") == true })
        #expect(try client.send("GET", "/api/documents").data?["total"]?.int == 0)
        let next = try client.send("POST", "/api/documents?type=transcript&file_name=a.pdf", body: Self.small)
        #expect(next.status == 201, "\(next.text)")
        try documentd.waitForStoredFiles(1)
    }

    @Test("A resumable upload keeps what fitted on the disk, and goes on from there once there is room")
    func resumable() throws {
        let documentd = try DocumentdProgram(["--worker", "no"], after: Self.smallDisk)
        defer { documentd.remove() }
        let client = documentd.client
        let metadata = [("type", "stats_sheet"), ("file_name", "a.csv")].map { key, value in
            "\(key) \(Base64.encode(Array(value.utf8)))"
        }.joined(separator: ",")
        let begun = try client.send(
            "POST", "/api/uploads",
            headers: ["Tus-Resumable": "1.0.0", "Upload-Length": "9000000", "Upload-Metadata": metadata], body: [])
        let address = try #require(begun["location"]?.split(separator: "/", maxSplits: 2).last.map { "/\($0)" })
        func offset() throws -> Int? {
            try client.send("HEAD", address, headers: ["Tus-Resumable": "1.0.0"])["upload-offset"].flatMap { Int($0) }
        }
        func append(from offset: Int) throws -> ServiceClient.Answer {
            try client.send(
                "PATCH", address,
                headers: [
                    "Tus-Resumable": "1.0.0", "Upload-Offset": "\(offset)",
                    "Content-Type": "application/offset+octet-stream",
                ], body: Array(Self.large[offset..<9_000_000]))
        }
        let filler = documentd.seen(documentd.program.path("data/filler"))
        #expect(FileManager.default.createFile(atPath: filler, contents: Data(count: 6_000_000)))
        let refused = try append(from: 0)
        #expect(refused.status == 507 && refused.message == Self.message, "\(refused.text)")
        let kept = try #require(try offset())
        #expect(kept > 1_000_000 && kept < 9_000_000)
        try FileManager.default.removeItem(atPath: filler)
        let last = try append(from: kept)
        let document = try #require(last["document-id"], "\(last.status) \(last.text)")
        let file = try client.send("GET", "/api/documents/\(document)/file")
        #expect(file.body.elementsEqual(Self.large[..<9_000_000]))
    }

    @Test("Files take no more of the disk than leaves room for changes, and whoever has filled it can delete them")
    func deleting() throws {
        let documentd = try DocumentdProgram(["--worker", "no"], after: Self.smallDisk)
        defer { documentd.remove() }
        let client = documentd.client
        var ids: [String] = []
        // Smaller and smaller ones, to the last block.
        for size in [1_000_000, 100_000, 4000] {
            let bytes = Array(Self.large[..<size])
            while true {
                let sent = try client.send("POST", "/api/documents?type=stats_sheet&file_name=a.csv", body: bytes)
                guard let id = sent.data?["id"]?.string, ids.count < 1000 else {
                    #expect(sent.status == 507 && sent.message == Self.message, "\(sent.text)")
                    break
                }
                ids.append(id)
            }
        }
        let data = documentd.seen(documentd.program.path("data"))
        let free = try FileManager.default.attributesOfFileSystem(forPath: data)[.systemFreeSize] as? Int
        #expect(free ?? 0 > 1_000_000, "\(String(describing: free))")
        for id in ids { #expect(try client.send("DELETE", "/api/documents/\(id)").status == 200) }
        try documentd.waitForStoredFiles(0)
        let next = try client.send("POST", "/api/documents?type=transcript&file_name=a.pdf", body: Self.small)
        #expect(next.status == 201, "\(next.text)")
    }

    @Test("Where the database cannot grow, no change is half done, reads go on, and changes wait for room")
    func database() throws {
        let documentd = try DocumentdProgram(["--worker", "no"], after: Self.smallDisk)
        defer { documentd.remove() }
        let client = documentd.client
        let document = try documentd.upload("page-1.pdf", as: "transcript")
        let filler = documentd.seen(documentd.program.path("data/filler"))
        #expect(FileManager.default.createFile(atPath: filler, contents: nil))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: filler))
        // To the last page of the disk.
        while (try? file.write(contentsOf: Data(count: 4096))) != nil {}
        try file.close()
        var refused = 0
        for number in 0..<50 where refused == 0 {
            let answer = try client.send("POST", "/api/schools", json: #"{"name": "School \#(number)"}"#)
            if answer.status == 201 { continue }
            #expect(answer.status == 507 && answer.code == "full" && answer.message == Self.message, "\(answer.text)")
            refused += 1
        }
        #expect(refused == 1, "SQLite found room 50 times")
        let count = try client.send("GET", "/api/schools").data?.array?.count
        let upload = try client.send("POST", "/api/documents?type=transcript&file_name=b.pdf", body: Self.small)
        #expect(upload.status == 507, "\(upload.text)")
        try documentd.waitForStoredFiles(1)
        #expect(try client.send("GET", "/api/documents").data?["total"]?.int == 1)
        #expect(try client.send("GET", "/api/documents/\(document["id"]!.string!)/file").body == Self.small)
        #expect(documentd.lines(at: "error").contains { $0["reason"]?.string?.contains("full") == true })
        try FileManager.default.removeItem(atPath: filler)
        #expect(try client.send("POST", "/api/schools", json: #"{"name": "After"}"#).status == 201)
        #expect(try client.send("GET", "/api/schools").data?.array?.count == count.map { $0 + 1 })
    }
}
