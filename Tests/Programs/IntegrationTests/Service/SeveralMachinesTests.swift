import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("documentd over PostgreSQL and a bucket, by two settings", .serialized, .deadline)
struct SeveralMachinesTests {
    /// What a person sees: words that do not depend on the run, and pictures, files and texts byte by byte.
    private struct Seen: Equatable {
        var words: [String] = []
        var contents: [String: [UInt8]] = [:]

        mutating func note(_ what: String, _ answer: ServiceClient.Answer, isContent: Bool = false) {
            words.append("\(what): \(answer.status) \(answer["content-type"] ?? "")")
            if isContent { contents[what] = answer.body }
        }
    }

    /// What README.md and docs/service.md show: upload, list, pictures, pages, versions, sharing, links, download, deletion.
    private func flow(on documentd: DocumentdProgram) throws -> Seen {
        let client = documentd.client
        var seen = Seen()
        var addresses: [String: String] = [:]
        for (name, type) in [
            ("pages-24.pdf", "transcript"), ("h264.mp4", "highlight_video"), ("resume.docx", "resume"),
        ] {
            let answer = try client.post(
                "/api/documents", fields: [("type", type)], file: (name, try DocumentdTests.sample(name)))
            seen.note("upload of \(name)", answer)
            let settled = try documentd.settled(try #require(answer.data, "\(answer.text)"))
            let facts = ["state", "placeholder", "title", "file_type", "file_size", "facts"].map {
                settled[$0]?.text ?? "none"
            }
            seen.words.append("\(name): \(facts)")
            addresses[name] = "/api/documents/\(settled["id"]!.string!)"
        }
        let (pdf, video) = (try #require(addresses["pages-24.pdf"]), try #require(addresses["h264.mp4"]))
        for preset in ["list", "grid", "preview"] {
            for (name, address) in [("pdf", pdf), ("video", video)] {
                let picture = try client.send("GET", "\(address)/thumbnail?preset=\(preset)")
                #expect(picture.status == 200, "\(preset) of \(name): \(picture.text)")
                seen.note("\(preset) of \(name)", picture, isContent: true)
            }
        }
        seen.note("page", try client.send("GET", "\(pdf)/pages/3?width=480"), isContent: true)
        seen.note("text", try client.send("GET", "\(pdf)/pages/3/text"), isContent: true)
        seen.note(
            "range", try client.send("GET", "\(video)/file", headers: ["Range": "bytes=1000-1999"]), isContent: true)
        seen.note("file", try client.send("GET", "\(pdf)/file?download"), isContent: true)

        let version = try client.post(
            "\(pdf)/versions", fields: [], file: ("new.pdf", try DocumentdTests.sample("rotate-90.pdf")))
        seen.note("version", version)
        seen.note("restored", try client.send("POST", "\(pdf)/restore"))
        let school = try client.send("POST", "/api/schools", json: #"{"name": "Ohio State"}"#)
        let id = try #require(school.data?["id"]?.string)
        seen.note(
            "share",
            try client.send("POST", "\(pdf)/shares", json: #"{"school_ids": ["\#(id)"], "permission": "view"}"#))
        let link = try client.send("POST", "\(pdf)/links", json: #"{"permission": "view", "days": 30}"#)
        let token = try #require(link.data?["url"]?.string?.split(separator: "=").last, "\(link.text)")
        seen.note("visit", try client.send("GET", "/api/shared?link=\(token)"))
        seen.note("visitor's picture", try client.send("GET", "/api/shared/thumbnail?link=\(token)"), isContent: true)
        seen.words.append(
            "visits: \(try client.send("GET", "\(pdf)/links").data?.array?.first?["visit_count"]?.int ?? -1)")
        for query in ["sort=name", "shared=true", "q=PAGES", "type=resume"] {
            let list = try client.send("GET", "/api/documents?\(query)")
            seen.note("list by \(query)", list)
            seen.words += list.data?["documents"]?.array?.map { $0["title"]?.string ?? "" } ?? ["no list"]
        }
        seen.note("statistics", try client.send("GET", "/api/documents/statistics"), isContent: true)
        seen.note("deletion", try client.send("DELETE", pdf))
        seen.note("deleted", try client.send("GET", "\(pdf)/file"))
        seen.note("link to it", try client.send("GET", "/api/shared?link=\(token)"))
        return seen
    }

    @Test("What people do and see is the same as on one machine")
    func flow() throws {
        let alone = try DocumentdProgram()
        defer { alone.remove() }
        let expected = try flow(on: alone)
        let ends = try SharedBackEnds()
        defer { ends.remove() }
        let program = try CompassProgram()
        let migrated = try CompassProgram.run(
            CompassProgram.built("documentd"), ["migrate", "--data", program.path("data")],
            environment: ["PATH": "/usr/bin:/bin", "HOME": program.scratch.path].merging(ends.environment) { $1 })
        #expect(migrated.status == 0, "\(migrated.standardError)")
        let documentd = try DocumentdProgram(in: program, environment: ends.environment)
        defer { documentd.remove() }
        let seen = try flow(on: documentd)
        #expect(seen.words == expected.words)
        for (what, bytes) in expected.contents {
            #expect(seen.contents[what] == bytes, "\(what) is another one")
        }
        try documentd.waitForStoredFiles(0)
        let status = try program.run(["queue", "status", "--json"], environment: ends.environment)
        #expect(status.status == 0, "\(status.standardError)")
        #expect(try ends.psql("SELECT count(*) FROM queue_job WHERE state = 'dead'") == ["0"])
    }

    @Test("A second machine has the first one's pictures from the bucket, and continues with its uploads and jobs")
    func secondMachine() throws {
        let ends = try SharedBackEnds()
        defer { ends.remove() }
        let first = try DocumentdProgram(environment: ends.environment)
        defer { first.remove() }
        var pictures: [(address: String, bytes: [UInt8])] = []
        for (name, type) in [("pages-24.pdf", "transcript"), ("h264.mp4", "highlight_video")] {
            let id = try first.settled(try first.upload(name, as: type))["id"]!.string!
            for preset in ["list", "grid", "preview"] {
                let address = "/api/documents/\(id)/thumbnail?preset=\(preset)"
                let answer = try first.client.send("GET", address)
                #expect(answer.status == 200, "\(answer.text)")
                pictures.append((address, answer.body))
            }
        }
        // An upload is under way when the machine dies.
        let file = try DocumentdTests.sample("page-1.pdf")
        let metadata = [("file_name", "later.pdf"), ("type", "transcript")].map { key, value in
            "\(key) \(Data(value.utf8).base64EncodedString())"
        }.joined(separator: ",")
        let created = try first.client.send(
            "POST", "/api/uploads",
            headers: [
                "Tus-Resumable": "1.0.0", "Upload-Length": "\(file.count)", "Upload-Metadata": metadata,
                "Content-Length": "0",
            ])
        let upload = try #require(created["location"]?.split(separator: "/").last, "\(created.text)")
        func send(_ bytes: ArraySlice<UInt8>, at offset: Int, to client: ServiceClient) throws -> ServiceClient.Answer {
            try client.send(
                "PATCH", "/api/uploads/\(upload)",
                headers: [
                    "Tus-Resumable": "1.0.0", "Upload-Offset": "\(offset)",
                    "Content-Type": "application/offset+octet-stream",
                ], body: Array(bytes))
        }
        let half = file.count / 2
        #expect(try send(file[..<half], at: 0, to: first.client).status == 204)
        first.stop()

        let second = try DocumentdProgram(["--worker", "no", "--picture-wait", "0"], environment: ends.environment)
        defer { second.remove() }
        let jobs = "SELECT count(*) FROM queue_job"
        let before = try ends.psql(jobs)
        #expect(second.cachedFiles == [])
        for (address, bytes) in pictures {
            let answer = try second.client.send("GET", address)
            #expect(answer.status == 200 && answer.body == bytes, "\(address): \(answer.status)")
        }
        #expect(try ends.psql(jobs) == before, "nobody made them again")
        #expect(!second.cachedFiles.isEmpty, "they were taken into the machine's cache")

        let progress = try second.client.send(
            "HEAD", "/api/uploads/\(upload)", headers: ["Tus-Resumable": "1.0.0"])
        #expect(progress["upload-offset"] == "\(half)")
        #expect(try send(file[half...], at: half, to: second.client).status == 204)
        let list = try second.client.send("GET", "/api/documents?q=later").data
        let later = try #require(list?["documents"]?.array?.first)
        let content = try second.client.send("GET", "/api/documents/\(later["id"]!.string!)/file")
        #expect(content.body == file)
        // Whoever works makes its pictures, and all have them.
        let again = try DocumentdProgram(in: first.program, environment: ends.environment)
        defer { again.stop() }
        #expect(try second.settled(later)["state"]?.string == "ready")
        let picture = try second.client.send("GET", "/api/documents/\(later["id"]!.string!)/thumbnail?preset=grid")
        #expect(picture.status == 200 && picture["content-type"]?.hasPrefix("image/") == true)
    }
}
