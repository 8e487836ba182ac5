import DocumentAPI
import Foundation
import HTTPServing
import Hummingbird
import Library
import Logging
import MatchStore
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("The stream of a search's steps", .deadline)
struct SearchEventsTests {
    @Test("A stream ends after its time, though the session goes on, so that no client holds one forever")
    func bounded() async throws {
        let folder = TemporaryFolder.make("events")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let face = try EmptyFace(in: folder, streamTime: .milliseconds(100))
        // Nobody works its job.
        _ = try face.searches.add(
            .make(at: .now), viewToken: "token", owner: nil, object: .random(), fileName: "a.pdf", at: .now)
        let router = Router(context: ServiceContext.self)
        face.api.register(on: router)
        let service = try await HTTPService.start(
            router, ServingParts(metrics: HTTPMetrics(prefix: "test")), host: "127.0.0.1", port: 0, name: "test",
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let client = ServiceClient(port: service.port)
        let answer = try await onThread { try client.send("GET", "/api/public/session/events?token=token", within: 20) }
        #expect(answer.status == 200 && answer.text.hasPrefix("retry: 2000\n\ndata: {\"status\": \"processing\""))
        #expect(answer.text.components(separatedBy: "data: ").count == 2, "\(answer.text)")
        await service.stop(within: .seconds(1))
    }

    /// Runs what blocks beside the threads that the service needs.
    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}
