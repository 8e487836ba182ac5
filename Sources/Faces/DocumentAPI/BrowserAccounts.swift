public import HTTPServing
internal import Media
public import People
public import PersonalData
public import SignIn

/// The accounts that browsers sign in to.
public struct BrowserAccounts: Sendable {
    let desk: AccountDesk
    /// Identifies persons by their tokens and cookies.
    public let authenticator: AccountAuthenticator
    /// Computes password digests, on threads of lower priority and with few waiting calls.
    private let passwords: BlockingPool
    /// Where else persons sign in; `nil` if nowhere.
    let elsewhere: SignInElsewhere?
    /// Creates the archive of all data of a person.
    let archive: @Sendable (Account, AccountDesk) -> AccountArchive

    /// Accounts of a desk.
    public init(
        _ desk: AccountDesk, authenticator: AccountAuthenticator, passwords: BlockingPool,
        elsewhere: SignInElsewhere? = nil,
        archive: @escaping @Sendable (Account, AccountDesk) -> AccountArchive
    ) {
        self.desk = desk
        self.authenticator = authenticator
        self.passwords = passwords
        self.elsewhere = elsewhere
        self.archive = archive
    }

    /// The providers elsewhere, as the screens show them.
    var providers: JSON {
        .array(
            (elsewhere?.providers ?? []).map { .object(["name": .string($0.name), "label": .string($0.label)]) })
    }

    /// Runs the body on a thread of low priority: other requests go first.
    ///
    /// - Throws: `tooManyAttempts` if the maximum number of calls waits.
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
