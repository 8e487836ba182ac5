import Foundation
import HTTPServing
import Hummingbird
import Logging
import Media
import NIOCore
import SignIn
import TestDeadline
import Testing

@Suite("Requests to providers", .serialized, .deadline)
struct TransportTests {
    /// The fault of a provider on this machine whose document points to one of its paths.
    private func fault(_ path: String) async throws -> (fault: SignInFault?, reason: String, seconds: Double) {
        let router = Router(context: BasicServingContext.self)
        router.get("/elsewhere/.well-known/openid-configuration") { _, _ in Response.redirect(to: "/good") }
        router.get("/good") { _, _ in "{}" }
        router.get("/endless/.well-known/openid-configuration") { _, _ in ByteBuffer(repeating: 0x20, count: 1 << 20) }
        router.get("/fields/.well-known/openid-configuration") { _, _ in
            var response = Response(status: .ok)
            for number in 0..<40 {
                response.headers[.init("X-\(number)")!] = String(repeating: "x", count: 8000)
            }
            return response
        }
        router.get("/silent/.well-known/openid-configuration") { _, _ in
            try await Task.sleep(for: .seconds(60))
            return "late"
        }
        router.get("/slow/.well-known/openid-configuration") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    for _ in 0..<60 {
                        try await writer.write(ByteBuffer(string: " "))
                        try await Task.sleep(for: .seconds(1))
                    }
                    try await writer.finish(nil)
                })
        }
        let service = try await HTTPService.start(
            router, ServingParts(metrics: HTTPMetrics(prefix: "provider")), host: "127.0.0.1", port: 0,
            name: "provider",
            logger: Logger(label: "provider") { _ in SwiftLogNoOpLogHandler() })
        let port = service.port
        if path == "away" { await service.stop(within: .seconds(1)) }
        let setup = try SignInSetup(
            [.init("issuer", .string("http://localhost:\(port)/\(path)"))], transport: ProviderTransport.send)
        let began = Date()
        var fault: SignInFault?
        do { fault = try await setup.fault() } catch let error as SignInFault { fault = error }
        let seconds = Date().timeIntervalSince(began)
        if path != "away" { await service.stop(within: .seconds(1)) }
        return (fault, setup.reason, seconds)
    }

    @Test(
        "Redirections are not followed, and what is endless, slow, silent or away ends within ten seconds",
        arguments: ["elsewhere", "endless", "fields", "slow", "silent", "away", "none"])
    func bounds(path: String) async throws {
        let (fault, reason, seconds) = try await fault(path)
        #expect(fault == .away && seconds < 30, "\(reason)")
        let words = [
            "elsewhere": "30", "slow": "timed out", "silent": "timed out", "away": "connect", "none": "404",
        ]
        if let word = words[path] { #expect(reason.contains(word), "\(reason)") }
    }

    @Test("A certificate that nobody vouches for is refused, and an address by another scheme is not asked")
    func schemes() async throws {
        let setup = try SignInSetup(
            [.init("issuer", .string("https://localhost:1"))], transport: ProviderTransport.send)
        await #expect(throws: SignInFault.away) { try await setup.fault() }
        for issuer in ["http://issuer.example", "http://127.0.0.1.example", "file:///etc/passwd", "ftp://localhost"] {
            #expect(throws: OpenIDProvider.ListFault.self) { try SignInSetup([.init("issuer", .string(issuer))]) }
        }
    }
}
