import Linux
import Media
import TestSupport
import Testing

extension HostileClientTests {
    @Suite("Clients that do not read, or a byte at a time", .serialized)
    struct SlowReaderTests {
        /// An answer waits twice as long as a body.
        private static let deadline = HostileService.stallTime * 2 + HostileService.slack
        private static let mostGrowth = 96 << 20

        @Test("Requests of every route for reading, sent one after the other without reading an answer, end in time")
        func pipelined() throws {
            let service = try HostileService(makesPictures: true)
            defer { service.remove() }
            let (person, other) = (try HostilePerson(service), try HostilePerson(service))
            let rows = try HostileRoutes().rows.filter { row in
                ["GET", "HEAD", "OPTIONS"].contains(row.method) && !row.isStream && row.variant.isEmpty
            }
            let swarm = ClientSwarm(port: service.client.port)
            for row in rows {
                let request = try person.request(row)
                // An answer without a picture costs a job each time.
                _ = try Waiting.forValue("no picture: \(row.name)") {
                    try service.send(request).status == 503 ? nil : true
                }
                let bytes = request.head(.length, declaring: nil, id: "unread-\(row.name)", closes: false)
                try swarm.add(
                    request, id: row.name, sending: bytes, reading: .nothing, buffers: .least, repeating: bytes)
            }
            let before = try service.residentByteCount()
            swarm.run(for: .seconds(2)) { _ in false }
            #expect(try service.ordinaryTime(of: other) < .seconds(2))
            #expect(try service.residentByteCount() - before < Self.mostGrowth)
            #expect(swarm.over == [], "they have not been read, and have ended")
            // The time counts from when an answer finds no room: on a busy machine that takes a while.
            var (count, last) = (0.0, Time.monotonic)
            swarm.run(for: .seconds(80)) { swarm in
                guard swarm.openCount > 0, let now = try? service.metric("documentd_requests_total{route=\"/") else {
                    return true
                }
                if now > count { (count, last) = (now, Time.monotonic) }
                return Time.monotonic - last > Self.deadline
            }
            #expect(swarm.open == [], "still open")
            try service.settle()
        }

        @Test("Readers of a large file that stop, or take a byte each 0.1 s, end in time and take little memory")
        func files() throws {
            let service = try HostileService(["--max-upload", "60000000"])
            defer { service.remove() }
            let (person, other) = (try HostilePerson(service, size: 20_000_000), try HostilePerson(service))
            var requests = try Self.requests(of: person)
            requests =
                Array(repeating: requests, count: 6).flatMap { $0 } + [
                    // A person has one archive at a time.
                    HostileRequest(
                        name: "archive", method: "GET", address: "/api/account/archive", headers: person.credentials)
                ]
            let before = try service.residentByteCount()
            let swarm = ClientSwarm(port: service.client.port)
            for (index, request) in requests.enumerated() {
                let reading: ClientSwarm.Reading =
                    index % 2 == 0 ? .nothing : .slowly(byteCount: 1, pause: .milliseconds(100))
                try swarm.add(
                    request, id: "reader-\(index)", sending: request.whole(id: "reader-\(index)"), reading: reading,
                    buffers: .least)
            }
            swarm.run(for: .seconds(2)) { _ in false }
            #expect(try service.ordinaryTime(of: other) < .seconds(2))
            let growth = try service.residentByteCount() - before
            #expect(growth < Self.mostGrowth, "\(requests.count) readers take \(growth >> 20) MiB")
            #expect(try service.runningCount() == requests.count, "they wait still")
            swarm.run(for: Self.deadline) { _ in (try? service.runningCount()) == 0 }
            let open = try service.runningCount()
            #expect(open == 0, "\(open) of \(requests.count) answers wait still")
            // The client's side learns of the end once its window opens, so the log tells.
            let lines = service.documentd.lines(at: "info").filter { $0["interrupted"] != nil }
            let interrupted = Set(lines.compactMap { $0["request"]?.string })
            #expect(swarm.clients.map(\.id).filter { !interrupted.contains($0) } == [], "answered whole")
        }

        /// They all begin at once, and the kernel takes megabytes from each: the event loops are busy, and fall behind those who read the
        /// file. So 300 readers had 4.2 GB once, while the budget had 128 MiB.
        @Test("Many readers of a large file at once take the memory that is documented, and the next ones take it over")
        func many() throws {
            let readMemory = 16 << 20
            let service = try HostileService(["--max-upload", "60000000", "--read-memory", "\(readMemory)"])
            defer { service.remove() }
            let (person, other) = (try HostilePerson(service, size: 50_000_000), try HostilePerson(service))
            let request = try #require(try Self.requests(of: person).first)
            let (count, memoryOfEach) = (200, 128 << 10)
            // What is freed stays in the heaps of many threads, in holes of all sizes, so that up to three times as much is taken (83 to 118
            // MiB in 21 rounds on two processors); each connection takes some memory, too.
            let most = 3 * (readMemory + count * memoryOfEach) + (24 << 20)
            let before = try service.anonymousByteCount()
            for round in 1...3 {
                let swarm = ClientSwarm(port: service.client.port)
                for index in 1...count {
                    try swarm.add(
                        request, id: "many-\(round)-\(index)", sending: request.whole(id: "many-\(round)-\(index)"),
                        reading: .nothing)
                }
                var growth = 0
                swarm.run(for: .seconds(2)) { _ in
                    growth = max(growth, ((try? service.anonymousByteCount()) ?? .max) - before)
                    return false
                }
                #expect(growth < most, "in round \(round) \(count) readers take \(growth >> 20) MiB")
                #expect(try service.ordinaryTime(of: other) < .seconds(2))
                #expect(try service.runningCount() == count, "they wait still")
                for client in swarm.clients { swarm.leave(client, resetting: true) }
                try service.settle()
            }
        }

        /// All ways by which a file goes out.
        private static func requests(of person: HostilePerson) throws -> [HostileRequest] {
            let text = HostileRequest.text(person.size)
            let path = "\(person.id)/transcript/1_large.txt"
            let made = try person.must(
                "POST", "/api/documents?type=transcript&title=T&file_name=large.txt", body: text)
            let document = made.data?["id"]?.string ?? ""
            try person.must("POST", "/storage/v1/object/documents/\(path)", ["Content-Type": "text/plain"], body: text)
            let link = try person.must(
                "POST", "/api/documents/\(document)/links", body: Array(#"{"permission":"download"}"#.utf8))
            let shared = link.data?["url"]?.string?.split(separator: "=").last.map(String.init) ?? ""
            let signed = try person.must(
                "POST", "/storage/v1/object/sign/documents/\(path)", body: Array(#"{"expiresIn":60}"#.utf8))
            let address = "/api/documents/\(document)/file"
            let handed = try person.must(
                "POST", "/api/addresses", body: Array(#"{"addresses":["\#(address)"]}"#.utf8))
            func request(_ address: String, _ headers: [(name: String, value: String)] = []) -> HostileRequest {
                HostileRequest(name: address, method: "GET", address: address, headers: headers)
            }
            return [
                request(address, person.credentials),
                request(address, person.credentials + [("Range", "bytes=5-")]),
                request(address, person.credentials + [("Range", "bytes=0-9999999,10000005-19999999")]),
                request(handed.data?["addresses"]?.array?.first?.string ?? ""),
                request("/api/shared/file?link=\(shared)"),
                request("/storage/v1/object/documents/\(path)", person.credentials),
                request("/storage/v1/object/authenticated/documents/\(path)", person.credentials),
                request("/storage/v1\(signed.json?["signedURL"]?.string ?? "")"),
            ]
        }
    }
}
