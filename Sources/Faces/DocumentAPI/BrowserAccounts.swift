public import HTTPServing
internal import Media
public import People
public import PersonalData
public import SignIn

/// The accounts that browsers sign in to.
public struct BrowserAccounts: Sendable {
    let desk: AccountDesk
    /// Knows persons by their tokens and cookies.
    public let identifying: AccountIdentifying
    /// Runs what computes a password's digest. Its threads get a lower priority, and few calls wait.
    private let passwords: BlockingPool
    /// Where else they sign in; `nil` where that is nowhere.
    let elsewhere: SignInElsewhere?
    /// Makes the archive of everything that is a person's.
    let archive: @Sendable (Account, AccountDesk) -> AccountArchive

    /// Accounts of a desk.
    public init(
        _ desk: AccountDesk, identifying: AccountIdentifying, passwords: BlockingPool,
        elsewhere: SignInElsewhere? = nil,
        archive: @escaping @Sendable (Account, AccountDesk) -> AccountArchive
    ) {
        self.desk = desk
        self.identifying = identifying
        self.passwords = passwords
        self.elsewhere = elsewhere
        self.archive = archive
    }

    /// The providers elsewhere, as the screens show them.
    var providers: JSON {
        .array(
            (elsewhere?.providers ?? []).map { .object(["name": .string($0.name), "label": .string($0.label)]) })
    }

    /// Runs the body on a thread of low priority: other requests go before passwords.
    ///
    /// - Throws: `tooManyAttempts` where as many calls wait as may.
    func withPassword<Value: Sendable>(
        _ body: @escaping @Sendable (AccountDesk) throws -> Value
    ) async throws -> Value {
        do {
            return try await passwords.run { [desk] in
                PasswordHash.lowerThreadPriority()
                return try body(desk)
            }
        } catch ServingError.overloaded {
            throw AccountError.tooManyAttempts(retryAfter: .seconds(1))
        }
    }
}
