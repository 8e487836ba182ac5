import Foundation
import Linux
import Media
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("documentd while browsers leave their streams of events", .serialized, .deadline)
struct EventStormTests {
    @Test(
        "Streams that are opened and broken off while uploads stand still hold up nobody, and SIGTERM ends the service")
    func storm() throws {
        let documentd = try DocumentdProgram(["--worker", "no", "--drain", "2"])
        defer { documentd.remove() }
        let client = documentd.client
        // A new stream is told of each of them, in the same moment in which others are cancelled.
        for index in 0..<30 { try begin(upload: "\(index).pdf", client) }
        let storm = try Storm(client, streamCount: 60)
        let isSteady = storm.run(for: .seconds(20)) {
            (try? client.send("GET", "/api/documents", within: 10).status) == 200
        }
        #expect(isSteady, "a request waits forever; \(storm.openedCount) streams were opened")
        #expect(storm.openedCount > 600, "too few streams for a storm: \(storm.openedCount)")
        // All have left: each is noticed at once, and not with the next write.
        let gone = try? Waiting.forValue("streams stay") {
            let metrics = try client.send("GET", "/metrics", within: 10).text
            return metrics.contains("documentd_event_clients 0") ? true : nil
        }
        #expect(gone == true)
        let status = try? documentd.end()
        #expect(status == 0, "SIGTERM does not end it: \(documentd.text)")
    }

    private func begin(upload name: String, _ client: ServiceClient) throws {
        let metadata = [("file_name", name), ("type", "transcript")].map { "\($0) \(Base64.encode(Array($1.utf8)))" }
        let answer = try client.send(
            "POST", "/api/uploads",
            headers: [
                "Tus-Resumable": "1.0.0", "Upload-Length": "1000",
                "Upload-Metadata": metadata.joined(separator: ","),
            ], body: [])
        #expect(answer.status == 201, "\(answer.text)")
    }

    /// Streams of events, each of which is broken off after 0.2 to 0.7 s and opened again.
    private final class Storm: Sendable {
        private let client: ServiceClient
        private let streamCount: Int
        private let opened = Atomic(0)

        init(_ client: ServiceClient, streamCount: Int) throws {
            self.client = client
            self.streamCount = streamCount
        }

        /// The streams that were opened.
        var openedCount: Int { opened.load(ordering: .relaxed) }

        /// Goes on for a time, or until the probe fails, which is made over and over.
        ///
        /// - Returns: whether the probe never failed.
        func run(for time: Duration, while probe: () -> Bool) -> Bool {
            let isOver = Promise<Void>()
            let thread = try? WorkerThread(name: "storm") { [self] in blow(until: isOver) }
            let end = Time.monotonic + time
            var isSteady = true
            while isSteady, Time.monotonic < end {
                isSteady = probe()
                Time.sleep(.milliseconds(50))
            }
            isOver.fulfil(())
            thread?.join()
            return isSteady
        }

        private func blow(until isOver: Promise<Void>) {
            var streams: [(connection: HeldConnection, end: Duration)] = []
            while isOver.current == nil {
                let now = Time.monotonic
                streams.removeAll { $0.end <= now }
                while streams.count < streamCount, let connection = try? HeldConnection(to: client) {
                    connection.send("GET /api/events HTTP/1.1\r\nHost: \(client.host)\r\n\r\n")
                    streams.append((connection, now + .milliseconds(Int.random(in: 200...700))))
                    opened.add(1, ordering: .relaxed)
                }
                Time.sleep(.milliseconds(5))
            }
        }
    }
}
