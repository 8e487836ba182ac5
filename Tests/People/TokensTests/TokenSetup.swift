import Media
import People
import SignIn
import Synchronization
import TokenMaking

extension Issuer {
    /// The middle of the second in which good tokens are made.
    static let now = Instant(microseconds: second * 1_000_000 + 500_000)
}

/// People identified by an issuer's tokens, with a clock that the test moves.
final class TokenSetup: Sendable {
    let people: TokenAuthenticator
    let keys: TokenKeys
    private let time: Clock
    private let faults: Faults

    private final class Clock: Sendable { let now = Mutex(Issuer.now) }
    private final class Faults: Sendable { let last = Mutex<TokenFault?>(nil) }

    init(
        secret: [UInt8]? = nil, issuer: String? = Issuer.name, audience: String = "authenticated",
        fetching: TokenKeys.Fetching?
    ) async throws {
        let (time, faults) = (Clock(), Faults())
        (self.time, self.faults) = (time, faults)
        keys = try await TokenKeys(secret: secret, fetching: fetching)
        await keys.renew()
        people = TokenAuthenticator(
            keys, TokenRule(audience: audience, issuer: issuer), now: { time.now.withLock { $0 } },
            report: { fault in faults.last.withLock { $0 = fault } })
    }

    func pass(_ duration: Duration) { time.now.withLock { $0 = $0 + duration } }

    func person(_ token: String) async throws -> String {
        try await people.caller(with: Credentials(bearer: token)).owner.text
    }

    /// Why a token is refused; `nil` if it is accepted.
    func fault(_ token: String) async -> TokenFault? {
        faults.last.withLock { $0 = nil }
        _ = try? await people.caller(with: Credentials(bearer: token))
        return faults.last.withLock { $0 }
    }
}
