import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("documentd over /api", .serialized, .deadline)
struct DocumentdTests {
    static func sample(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: Checkout.sample(name))))
    }

    static let files = [
        ("h264.mp4", "highlight_video", "video/mp4"), ("pages-24.pdf", "transcript", "application/pdf"),
        (
            "resume.docx", "resume", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        ), ("transcript.txt", "transcript", "text/plain"), ("stats.csv", "stats_sheet", nil),
        ("Résumé von Zoë – Seite 1.pdf", "resume", "application/pdf"),
    ]

    @Test("Files of every kind are stored, from a form in any order and from a raw body, and come back as they were")
    func uploads() throws {
        let documentd = try DocumentdProgram()
        defer { documentd.remove() }
        for (index, (name, type, mediaType)) in Self.files.enumerated() {
            let bytes = try Self.sample(name)
            let answer = try documentd.client.post(
                "/api/documents", fields: [("type", type), ("title", "Title \(index)"), ("description", "")],
                file: (name, bytes), isFileFirst: index.isMultiple(of: 2))
            #expect(answer.status == 201, "\(name): \(answer.text)")
            let stored = try #require(answer.data)
            let id = try #require(stored["id"]?.string)
            #expect(answer["location"] == "/api/documents/\(id)")
            #expect(stored["title"]?.string == "Title \(index)" && stored["description"] == .null)
            #expect(stored["file_name"]?.string == name, "the name of the file keeps its characters")
            #expect(stored["version"]?.int == 1 && stored["is_current"] == .bool(true))
            if let mediaType { #expect(stored["file_type"]?.string == mediaType) }
            let raw = try documentd.upload(name, as: type)
            #expect(raw["file_size"]?.int == bytes.count)
            let file = try documentd.client.send("GET", "/api/documents/\(id)/file?download")
            #expect(file.status == 200 && file.body == bytes, "\(name)")
            #expect(file["content-disposition"]?.hasPrefix("attachment") == true)
            #expect(file["x-content-type-options"] == "nosniff")
        }
        try documentd.waitForStoredFiles(Self.files.count * 2)
        #expect(
            documentd.storedFiles.allSatisfy { $0.hasPrefix("data/store/objects/") && $0.utf8.count == 54 },
            "names tell nothing of a file")
        let list = try documentd.client.send("GET", "/api/documents?limit=200").data
        #expect(list?["total"]?.int == Self.files.count * 2)
        for document in list?["documents"]?.array ?? [] {
            let settled = try documentd.settled(document)
            let isDrawn = ["video/mp4", "application/pdf"].contains(settled["file_type"]?.string)
            if isDrawn { #expect(settled["state"]?.string == "ready" && settled["placeholder"]?.string != nil) }
        }
        #expect(try documentd.end() == 0)
    }

    @Test("HEAD has the status and the length of GET, on every face")
    func heads() throws {
        let documentd = try DocumentdProgram()
        defer { documentd.remove() }
        for path in ["/healthz", "/readyz", "/", "/documents", "/api/schools", "/api/openapi.json"] {
            let (whole, head) = (try documentd.client.send("GET", path), try documentd.client.send("HEAD", path))
            #expect(head.status == whole.status && head.body.isEmpty, "\(path)")
            #expect(head["content-length"] == "\(whole.body.count)", "\(path)")
        }
        #expect(try documentd.end() == 0)
    }

    @Test("The wrong file is refused with the rule, and leaves nothing")
    func refusedTypes() throws {
        let documentd = try DocumentdProgram()
        defer { documentd.remove() }
        let resume = "Invalid file type. Resume requires .pdf, .doc, .docx."
        let cases = [
            ("alpha.png", "alpha.png", "resume", resume), ("h264.mp4", "a.pdf", "resume", resume),
            ("html-named.pdf", "html-named.pdf", "transcript", "Invalid file type. Transcript requires .pdf, .txt."),
            (
                "resume.docx", "a.mp4", "highlight_video",
                "Invalid file type. Highlight Video requires .mp4, .mov, .avi."
            ),
            ("cover.m4a", "a.mp4", "highlight_video", "Invalid file type. Highlight Video requires .mp4, .mov, .avi."),
            ("transcript.txt", "no extension", "transcript", "Invalid file type. Transcript requires .pdf, .txt."),
            ("large-12000x9000.jpg", "picture.jpg", "resume", resume),
        ]
        for (sample, name, type, message) in cases {
            for isForm in [true, false] {
                let bytes = try Self.sample(sample)
                let answer =
                    isForm
                    ? try documentd.client.post("/api/documents", fields: [("type", type)], file: (name, bytes))
                    : try documentd.client.send(
                        "POST", "/api/documents?type=\(type)&file_name=\(ServiceClient.encoded(name))",
                        headers: ["Content-Type": "application/pdf"], body: bytes)
                #expect(answer.status == 400 && answer.code == "refused_type", "\(name) as \(type): \(answer.text)")
                #expect(answer.message == message && answer.field == "file")
            }
        }
        try documentd.waitForStoredFiles(0)
        #expect(try documentd.client.send("GET", "/api/documents").data?["total"]?.int == 0)
        #expect(try documentd.end() == 0)
    }

    @Test("Lists are filtered, sorted, searched and paged")
    func lists() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let client = documentd.client
        let school = try #require(
            try client.send("POST", "/api/schools", json: #"{"name": "Ohio State"}"#).data?["id"]?.string)
        let pdf = try Self.sample("page-1.pdf")
        for index in 0..<7 {
            let type = index < 4 ? "transcript" : "resume"
            let answer = try client.post(
                "/api/documents",
                fields: [
                    ("type", type), ("title", "Paper \(6 - index)"), ("description", index == 3 ? "Für Zoë" : "x"),
                    ("school_id", index == 5 ? school : ""),
                ], file: ("a.pdf", pdf))
            #expect(answer.status == 201, "\(answer.text)")
        }
        func titles(_ query: String) throws -> [String] {
            let answer = try client.send("GET", "/api/documents?\(query)")
            #expect(answer.status == 200, "\(query): \(answer.text)")
            return answer.data?["documents"]?.array?.compactMap { $0["title"]?.string?.last.map(String.init) } ?? []
        }
        #expect(try titles("") == ["0", "1", "2", "3", "4", "5", "6"])
        #expect(try titles("sort=oldest") == ["6", "5", "4", "3", "2", "1", "0"])
        #expect(try titles("sort=name") == ["0", "1", "2", "3", "4", "5", "6"])
        #expect(try titles("sort=type") == ["0", "1", "2", "3", "4", "5", "6"])
        #expect(try titles("type=resume") == ["0", "1", "2"])
        #expect(try titles("type=resume,transcript&shared=true") == [])
        #expect(try titles("school=\(school)") == ["1"])
        #expect(try titles("school=general&type=resume") == ["0", "2"])
        #expect(try titles("q=ZOE") == ["3"], "case and accents do not count")
        #expect(try titles("q=paper%20%25") == [], "a percent sign is only that")
        let first = try client.send("GET", "/api/documents?limit=3&sort=name").data
        #expect(first?["total"]?.int == 7 && first?["filtered"]?.int == 7)
        var (seen, cursor) = (["0", "1", "2"], first?["next_cursor"]?.string)
        while let place = cursor {
            let page = try client.send("GET", "/api/documents?limit=3&sort=name&cursor=\(place)").data
            seen += page?["documents"]?.array?.compactMap { $0["title"]?.string?.last.map(String.init) } ?? []
            cursor = page?["next_cursor"]?.string
        }
        #expect(seen == ["0", "1", "2", "3", "4", "5", "6"])
        let sums = try client.send("GET", "/api/documents/statistics").data
        #expect(sums?["total"]?.int == 7 && sums?["most_common_type"]?.string == "transcript")
        #expect(sums?["total_bytes"]?.int == pdf.count * 7 && sums?["by_type"]?["resume"]?.int == 3)
    }

    @Test("Versions, restoring, changes and sharing; then a deleted document is gone at once, and its bytes soon after")
    func life() throws {
        let documentd = try DocumentdProgram()
        defer { documentd.remove() }
        let client = documentd.client
        let first = try documentd.upload("page-1.pdf", as: "transcript")
        let address = "/api/documents/\(first["id"]!.string!)"
        let second = try client.post(
            "\(address)/versions", fields: [], file: ("new.pdf", try Self.sample("rotate-90.pdf")))
        #expect(second.status == 201, "\(second.text)")
        #expect(second.data?["version"]?.int == 2 && second.data?["line_id"] == first["line_id"])
        #expect(second.data?["title"] == first["title"])
        let wrong = try client.post(
            "\(address)/versions", fields: [("type", "resume")], file: ("n.pdf", try Self.sample("rotate-90.pdf")))
        #expect(wrong.status == 400 && wrong.field == "type")
        let refused = try client.post("\(address)/versions", fields: [], file: ("n.mp4", try Self.sample("h264.mp4")))
        #expect(refused.status == 400 && refused.code == "refused_type")
        func versions() throws -> [String] {
            let all = try client.send("GET", "\(address)/versions").data?.array ?? []
            #expect(all.allSatisfy { $0["shares"] == nil && $0["shared_with_schools"] == nil })
            return all.map { "\($0["version"]!.int!)\($0["is_current"] == .bool(true) ? " current" : "")" }
        }
        #expect(try versions() == ["2 current", "1"])
        #expect(try client.send("POST", "\(address)/restore").data?["is_current"] == .bool(true))
        #expect(try versions() == ["2", "1 current"])

        let changed = try client.send("PATCH", address, json: #"{"title": "  New  ", "description": "Text"}"#).data
        #expect(changed?["title"]?.string == "New" && changed?["description"]?.string == "Text")
        #expect(try client.send("PATCH", address, json: #"{"description": null}"#).data?["description"] == .null)
        #expect(try client.send("PATCH", address, json: #"{"title": null}"#).field == "title")
        let other = "/api/documents/\(second.data!["id"]!.string!)"
        #expect(try client.send("GET", other).data?["title"]?.string == "New", "the title is the line's")

        let school = try client.send("POST", "/api/schools", json: #"{"name": "Ohio State"}"#).data!["id"]!.string!
        let shared = try client.send(
            "POST", "\(address)/shares", json: #"{"school_ids": ["\#(school)"], "permission": "edit"}"#)
        #expect(shared.data?["shares"]?.array?.first?["permission"]?.string == "edit", "\(shared.text)")
        #expect(try client.send("GET", "/api/documents?shared=true").data?["filtered"]?.int == 1)
        let unshared = try client.send("DELETE", "\(address)/shares/\(school)")
        #expect(unshared.data?["shares"] == .array([]))

        let twin = try documentd.upload("page-1.pdf", as: "transcript")
        _ = try documentd.settled(twin)
        _ = try documentd.settled(second.data!)
        try documentd.waitForStoredFiles(3)
        let renditions = documentd.cachedFiles.count
        #expect(try client.send("DELETE", address).status == 200)
        for path in ["", "/file", "/thumbnail", "/facts", "/versions", "/pages/1", "/pages/1/text"] {
            let answer = try client.send("GET", address + path)
            #expect(answer.status == 404 && answer.message == "Document not found", "\(path): \(answer.text)")
        }
        #expect(try client.send("GET", other).status == 404, "all versions are gone")
        #expect(try client.send("DELETE", address).status == 404)
        try documentd.waitForStoredFiles(1)
        _ = try Waiting.forValue("renditions stay") { documentd.cachedFiles.count < renditions ? true : nil }
        let picture = try client.send("GET", "/api/documents/\(twin["id"]!.string!)/thumbnail")
        #expect(picture.status == 200, "another document with the same bytes keeps its picture")
        #expect(try documentd.end() == 0)
    }
}
