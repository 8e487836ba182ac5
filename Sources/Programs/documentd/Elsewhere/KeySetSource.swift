import Foundation
import HTTPServing
import Logging
import Media
import SignIn

/// Where the public keys of an issuer are published: a file, or an address.
struct KeySetSource {
    private let path: String?
    private let address: URL?

    /// - Parameter text: a path, or an address that begins with `https://` or `http://`.
    /// - Throws: `usage` for any other address, and for one with a password.
    init(_ text: String, _ logger: Logger) throws(Failure) {
        guard text.contains("://") else {
            (path, address) = (text, nil)
            return
        }
        guard let url = URL(string: text), let host = url.host, !host.isEmpty, url.user == nil,
            url.scheme == "https" || url.scheme == "http"
        else {
            throw Failure(
                .usage, message: "--token-keys takes a file, or an address such as https://example.org/jwks.json.")
        }
        if url.scheme == "http", !["localhost", "127.0.0.1", "::1", "[::1]"].contains(host) {
            logger.warning("token keys are fetched over http: anyone on the path can replace them and act as any user")
        }
        (path, address) = (nil, url)
    }

    var isFile: Bool { path != nil }

    /// Reads the file, or requests the address.
    var fetching: @Sendable () async throws -> [UInt8] {
        let (path, address) = (path, address)
        return {
            if let path { return try SmallFile.bytes(of: path) }
            return try await Self.work.run { try Self.answer(of: address!.absoluteString) }
        }
    }

    /// One thread suffices: keys are fetched only now and then.
    private static let work = BlockingPool(threadCount: 1, queueLength: 4)

    /// The body of a successful answer.
    private static func answer(of address: String) throws(ProviderFault) -> [UInt8] {
        let types = "application/jwk-set+json, application/json"
        let answer = try ProviderTransport.send(ProviderRequest(getting: address, types: types))
        guard answer.status == 200 else { throw .away("the response has status \(answer.status)") }
        return answer.body
    }
}
