import Database
import Foundation
import HTTPServing
import HTTPSyntax
import Media
import People
import SignIn
import Synchronization
import TestSupport
import TokenMaking

/// Accounts in a folder, one provider in memory, and a clock that the test moves.
final class SignInSetup: Sendable {
    static let browser = String(repeating: "0a", count: 32)

    let provider = FakeProvider()
    let store: AccountStore
    let desk: AccountDesk
    let elsewhere: SignInElsewhere
    let box = LetterBox()
    private let folder = TemporaryFolder.make("openid")
    /// Runs all blocking calls, on two threads.
    let pool = BlockingPool(threadCount: 2, queueLength: 100)
    private let time: Clock
    private let told: Told

    private final class Clock: Sendable {
        /// Starts in the second in which good tokens are made.
        let passed = Mutex(Duration.zero)
        var now: Instant { Instant(microseconds: Issuer.second * 1_000_000) + passed.withLock { $0 } }
    }

    private final class Told: Sendable { let reasons = Mutex<[String]>([]) }

    /// Keeps letters instead of sending them.
    final class LetterBox: AccountPost {
        let letters = Mutex<[AccountLetter]>([])
        func send(_ letter: AccountLetter, to address: MailAddress) { letters.withLock { $0.append(letter) } }
    }

    /// - Parameters:
    /// - entry: members of the provider's entry in the list that replace the good ones.
    /// - transport: asks the provider; `nil` for the one in memory.
    init(
        _ entry: [JSON.Member] = [], secret: String = "a secret: 100%", origins: String = "",
        redirects: String = "", transport: SignInElsewhere.Transport? = nil
    ) throws {
        let (time, told) = (Clock(), Told())
        (self.time, self.told) = (time, told)
        store = try AccountStore(try SQLiteDatabase(path: "\(folder)/accounts.sqlite"))
        desk = try AccountDesk(store, secrets: Secrets([UInt8](repeating: 7, count: 32)), post: box) { time.now }
        let provider = provider
        elsewhere = SignInElsewhere(
            try OpenIDProvider.list(in: Self.list(entry)) { _ in secret }, desk, address: "https://service.example",
            origins: AllowedOrigins(origins)!, redirects: RedirectAddresses(redirects)!, work: pool, requests: pool,
            clock: { time.passed.withLock { $0 } }, now: { time.now },
            transport: transport ?? provider.transport,
            report: { _, _, reason in told.reasons.withLock { $0.append(reason) } })
    }

    static func list(_ entry: [JSON.Member]) -> [UInt8] {
        let names = Set(entry.map(\.key))
        let members: [JSON.Member] = [
            .init("name", .string("mock")), .init("label", .string("Mock")),
            .init("issuer", .string(FakeProvider.name)),
            .init("client_id", .string(FakeProvider.clientID)), .init("client_secret_file", .string("/secret")),
        ]
        let all = members.filter { !names.contains($0.key) } + entry.filter { $0.value != .null }
        return Array(JSON.object([.init("providers", .array([.object(all)]))]).text.utf8)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var second: Int64 { time.now.microseconds / 1_000_000 }

    /// Why the last sign-in failed, as logged.
    var reason: String { told.reasons.withLock { $0.last ?? "" } }

    func pass(_ duration: Duration) { time.passed.withLock { $0 += duration } }

    /// The complete sign-in of a person who agrees at the provider.
    func signIn(
        _ purpose: SignInPurpose = .screen(path: "/documents"), more: String = "", after pause: Duration = .zero
    ) async throws -> SignInElsewhere.Outcome {
        let address = try await elsewhere.begin(
            "mock", purpose, browser: Self.browser, client: "\(Int.random(in: 0...Int.max))")
        pass(pause)
        let answer = try await provider.agree(at: address, second: second, more: more)
        return await elsewhere.end(answer, browser: Self.browser, program: "Chrome on Linux")
    }

    /// Why nobody is signed in; `nil` if the sign-in succeeds.
    func fault(_ purpose: SignInPurpose = .screen(path: "/documents"), more: String = "", after pause: Duration = .zero)
        async throws -> SignInFault?
    {
        try await signIn(purpose, more: more, after: pause).fault
    }
}

extension SignInElsewhere.Outcome {
    var fault: SignInFault? {
        if case .failed(let fault, _, _) = self { fault } else { nil }
    }

    var grant: AccountDesk.Grant? {
        if case .signedIn(let grant, _) = self { grant } else { nil }
    }
}
