import Foundation
import Linux
import Media
import StoreSupport
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("documentd over a bucket that is silent", .serialized, .deadline)
struct StoreOutageTests {
    /// A service over a bucket that stops answering on command.
    private final class Service {
        let documentd: DocumentdProgram
        let proxy: FaultProxy
        private let isSilent = Silence()

        private final class Silence: Sendable {
            let value = Atomic(false)
        }

        init(_ arguments: [String] = []) throws {
            let program = try CompassProgram()
            try FileManager.default.createDirectory(atPath: program.path(".aws"), withIntermediateDirectories: true)
            let key = """
                [default]
                aws_access_key_id = \(TestStore.accessKey)
                aws_secret_access_key = \(TestStore.secretKey)
                """
            _ = try program.write(Data(key.utf8), ".aws/credentials")
            let isSilent = isSilent
            proxy = FaultProxy(to: try TestStore.shared.get()) { _ in
                isSilent.value.load(ordering: .acquiring) ? .delay(milliseconds: 600_000) : .pass
            }
            documentd = try DocumentdProgram(
                arguments + [
                    "--worker", "no", "--store", "s3://\(TestStore.bucket)/outage-\(UUID().uuidString)",
                    "--s3-endpoint",
                    proxy.address,
                ], in: program)
        }

        /// How many requests had come when the store fell silent.
        private var answeredCount = 0

        func fallSilent() {
            isSilent.value.store(true, ordering: .releasing)
            answeredCount = proxy.requests.count
        }

        /// Waits until the silent store was asked.
        func waitForRequests(_ count: Int, _ method: String, below folder: String) throws {
            let asked = { [self] in
                proxy.requests.dropFirst(answeredCount).filter {
                    $0.hasPrefix("\(method) ") && $0.contains(folder)
                }
            }
            _ = try Waiting.forValue("only \(asked())") { asked().count >= count ? true : nil }
        }
    }

    /// What answers while every call of the store hangs; a silent service fails these within five seconds.
    private func checkAnswers(_ client: ServiceClient) throws {
        for path in ["/readyz", "/api/documents", "/api/documents/statistics", "/api/schools"] {
            #expect(try client.send("GET", path, within: 5).status == 200, "\(path)")
        }
    }

    @Test(
        "SIGTERM ends the service in time while a thread that it waits for hangs in the store", .timeLimit(.minutes(2)))
    func end() throws {
        let service = try Service(["--drain", "1"])
        let (documentd, client) = (service.documentd, service.documentd.client)
        defer { documentd.remove() }
        let id = try documentd.upload("page-1.pdf", as: "transcript")["id"]!.string!
        service.fallSilent()
        #expect(try client.send("DELETE", "/api/documents/\(id)").status == 200)
        try service.waitForRequests(1, "GET", below: "incoming")
        let began = Time.monotonic
        let status = try? documentd.end(within: 10)
        #expect(status == 3, "\(documentd.text)")
        #expect(Time.monotonic - began < .seconds(8))
        #expect(documentd.text.contains("forced exit: the service did not shut down in time"))
    }

    @Test("Lists, readiness and events go on while every request for a file or a picture hangs")
    func silence() throws {
        let service = try Service()
        let (documentd, client) = (service.documentd, service.documentd.client)
        defer { documentd.remove() }
        let id = try documentd.upload("page-1.pdf", as: "transcript")["id"]!.string!
        let metadata = [("file_name", "later.pdf"), ("type", "transcript")].map { key, value in
            "\(key) \(Data(value.utf8).base64EncodedString())"
        }
        let created = try client.send(
            "POST", "/api/uploads",
            headers: [
                "Tus-Resumable": "1.0.0", "Upload-Length": "1000", "Content-Length": "0",
                "Upload-Metadata": metadata.joined(separator: ","),
            ])
        #expect(created.status == 201, "\(created.text)")
        service.fallSilent()
        // More than all threads for files, and more pictures than threads for quick answers.
        let paths =
            Array(repeating: "/api/documents/\(id)/file", count: 24)
            + Array(repeating: "/api/documents/\(id)/thumbnail?preset=grid", count: 8)
        for path in paths {
            Thread.detachNewThread { _ = try? client.send("GET", path, within: 120) }
        }
        try service.waitForRequests(10, "GET", below: "objects")
        try checkAnswers(client)
        let (isOpen, isTold) = (Promise<Void>(), Promise<Void>())
        Thread.detachNewThread {
            let request = "GET /api/events HTTP/1.1\r\nHost: \(client.host)\r\n\r\n"
            _ = try? client.exchange(Array(request.utf8)) {
                isOpen.fulfil(())
                let isEnough = String(decoding: $0, as: UTF8.self).contains("document.changed")
                if isEnough { isTold.fulfil(()) }
                return isEnough
            }
        }
        #expect(isOpen.wait(until: Time.monotonic + .seconds(60)) != nil)
        let changed = try client.send("PATCH", "/api/documents/\(id)", json: #"{"title": "New"}"#)
        #expect(changed.status == 200)
        #expect(isTold.wait(until: Time.monotonic + .seconds(60)) != nil)
        try checkAnswers(client)
    }
}
