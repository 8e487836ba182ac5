public import Accounts
public import HTTPServing

/// The accounts that browsers sign in to.
public struct BrowserAccounts: Sendable {
    let desk: AccountDesk
    /// Knows persons by their tokens and cookies.
    public let identifying: AccountIdentifying
    /// Runs what computes a password's digest. Its threads get a lower priority, and few calls wait.
    private let passwords: BlockingPool

    /// Accounts of a desk.
    public init(_ desk: AccountDesk, identifying: AccountIdentifying, passwords: BlockingPool) {
        self.desk = desk
        self.identifying = identifying
        self.passwords = passwords
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
