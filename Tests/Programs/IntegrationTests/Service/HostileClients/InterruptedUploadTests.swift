import Linux
import Media
import TestSupport
import Testing

extension HostileClientTests {
    @Suite("Uploads whose client leaves", .serialized)
    struct InterruptedUploadTests {
        private static let size = 100_000
        /// One address may not have any number of connections.
        private static let mostAtOnce = 150

        /// An upload that ends early.
        private struct Cut {
            let row: HostileRoutes.Row
            let request: HostileRequest
            let framing: HostileRequest.Framing
            let tenth: Int
            /// The resumable upload; `nil` for another way in, and for one that its own request begins.
            let upload: String?
            var count: Int { (request.body?.count ?? 0) * tenth / 10 }
            var id: String { "\(row.name.filter { $0 != " " })-\(framing)-\(tenth)" }
        }

        @Test("After each tenth of an upload, by every way in, nothing half-made is there, and resumable ones go on")
        func everyTenth() throws {
            let service = try HostileService(["--storage-per-person", "60000000", "--max-upload", "60000000"])
            defer { service.remove() }
            let person = try HostilePerson(service, size: Self.size)
            let rows = try HostileRoutes().rows.filter { $0.takesFile && $0.body != nil }
            for row in rows { _ = try person.request(row) }
            let empty = try Self.room(of: person)
            let cuts = try Self.cuts(rows, person)
            let (before, room, arriving) = (try person.state(), try Self.room(of: person), service.arrivingCount)

            for first in stride(from: 0, to: cuts.count, by: Self.mostAtOnce) {
                try Self.send(Array(cuts[first..<min(first + Self.mostAtOnce, cuts.count)]), service)
            }
            #expect(try person.state() == before, "something half-made is listed")
            let old = try Self.file(person.value("file"), person)
            #expect(old == Array("The old text.\n".utf8))
            #expect(try person.send("GET", "/storage/v1/object/documents/\(person.value("newFile"))").status == 400)
            // An upload that is cut with its creation is gone: nobody but the service knows its name.
            _ = try Waiting.forValue("\(service.arrivingCount - arriving) files are left of it") {
                try Self.room(of: person) == room && service.arrivingCount == arriving ? true : nil
            }
            for cut in cuts { try Self.resume(cut, person) }
            // What was stored goes, the old text or what has replaced it too, and with it all that was counted: the document that stays loses
            // its file.
            let paper = try person.must("GET", "/api/documents/\(person.value("document"))/file").body
            let documents = try person.must("GET", "/rest/v1/documents?select=id").json?.array ?? []
            for id in documents.compactMap({ $0["id"]?.string }) where id != (try person.value("document")) {
                try person.must("DELETE", "/api/documents/\(id)")
            }
            let files = Array(#"{"prefix":"\#(person.id)/transcript"}"#.utf8)
            for file in try person.must("POST", "/storage/v1/object/list/documents", body: files).json?.array ?? [] {
                let path = "\(person.id)/transcript/\(file["name"]?.string ?? "")"
                _ = try person.send("DELETE", "/storage/v1/object/documents/\(path)")
            }
            let expected = empty + old.count + paper.count
            _ = try Waiting.forValue("\((try? Self.room(of: person)) ?? 0) bytes of \(expected) are free") {
                try Self.room(of: person) == expected ? true : nil
            }
        }

        private static func cuts(_ rows: [HostileRoutes.Row], _ person: HostilePerson) throws -> [Cut] {
            var cuts: [Cut] = []
            for row in rows {
                for framing in HostileRequest.Framing.allCases {
                    for tenth in 0..<10 {
                        var request = try person.request(row)
                        var upload: String?
                        if row.method == "PATCH" {
                            let thing = HostilePerson.thing(row.pattern)
                            let id = try person.make(thing)
                            request.address = request.address.replacing(try person.value(thing), with: id)
                            upload = id
                        }
                        cuts.append(
                            Cut(row: row, request: request, framing: framing, tenth: tenth, upload: upload))
                    }
                }
            }
            return cuts
        }

        /// Sends each up to its tenth, and leaves: half of the clients in order, half by a reset.
        private static func send(_ cuts: [Cut], _ service: HostileService) throws {
            let swarm = ClientSwarm(port: service.client.port)
            for cut in cuts {
                let body = cut.request.body ?? []
                let head = cut.request.head(cut.framing, declaring: body.count, id: cut.id)
                try swarm.add(
                    cut.request, id: cut.id, sending: head + HostileRequest.framed(body.prefix(cut.count), cut.framing))
            }
            #expect(swarm.run(for: .seconds(20)) { $0.clients.allSatisfy(\.hasSent) }, "not all was sent")
            #expect(swarm.over == [], "they were refused")
            for (index, client) in swarm.clients.enumerated() { swarm.leave(client, resetting: index % 4 == 0) }
            try service.settle()
        }

        /// Sends what is missing of a resumable upload, and looks at what came of it.
        private static func resume(_ cut: Cut, _ person: HostilePerson) throws {
            guard cut.upload != nil, let body = cut.request.body else { return }
            let fields = Dictionary(cut.request.headers.map { ($0.name, $0.value) }) { first, _ in first }
            let head = try person.send("HEAD", cut.request.address, fields)
            let offset = Int(head["upload-offset"] ?? "") ?? -1
            #expect((0...cut.count).contains(offset), "\(cut.id): \(offset) of \(cut.count)")
            guard offset >= 0 else { return }
            let rest = try person.send(
                "PATCH", cut.request.address, fields.merging(["Upload-Offset": "\(offset)"]) { $1 },
                body: Array(body[offset...]))
            #expect(rest.status == 204, "\(cut.id): \(rest.status) \(rest.text)")
            guard let document = rest["document-id"] else { return }
            #expect(try person.must("GET", "/api/documents/\(document)/file").body == body, "\(cut.id)")
        }

        private static func file(_ path: String, _ person: HostilePerson) throws -> [UInt8] {
            try person.must("GET", "/storage/v1/object/documents/\(path)").body
        }

        /// How many bytes the person may store, to the byte: as large an upload may begin.
        private static func room(of person: HostilePerson) throws -> Int {
            var (least, most) = (0, 60_000_001)
            while most - least > 1 {
                let length = (least + most) / 2
                let fields = ["Tus-Resumable": "1.0.0", "Upload-Metadata": try person.value("documentMetadata")]
                let begun = try person.send(
                    "POST", "/api/uploads", fields.merging(["Upload-Length": "\(length)"]) { $1 }, body: [])
                guard begun.status == 201, let id = begun["location"]?.split(separator: "/").last else {
                    most = length
                    continue
                }
                least = length
                try person.must("DELETE", "/api/uploads/\(id)", fields)
            }
            return least
        }
    }
}
