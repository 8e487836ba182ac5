public import Documents
public import Library
internal import Linux
public import Media
public import People

/// Removes people with all their data, if they requested it or the operator removed them.
///
/// From the request on they cannot sign in, and none of their sessions continues. Their data is removed next, and the
/// account's row last: so an interrupted removal is found and repeated. `tidy` follows after any number of removals.
public struct AccountRemoval: Sendable {
    private let accounts: AccountStore
    private let library: DocumentLibrary
    private let parts: [PersonalPart]
    private let overwrite: @Sendable () throws(DocumentError) -> Void

    /// The time after the request by which every process has noticed that the person's sessions have ended.
    public static let noticeTime = Duration.milliseconds(1100)

    /// What went wrong; the removal stays requested, and the next call retries it.
    public enum Fault: Error {
        case documents(DocumentError)
        case accounts(AccountError)
    }

    /// - Parameters:
    ///   - parts: what else the service keeps about people.
    ///   - tidy: overwrites what the removal leaves in the database's log and index.
    public init(
        _ accounts: AccountStore, _ library: DocumentLibrary, _ parts: [PersonalPart],
        tidy: @escaping @Sendable () throws(DocumentError) -> Void
    ) {
        self.accounts = accounts
        self.library = library
        self.parts = parts
        overwrite = tidy
    }

    /// Removes one person, whose removal was requested at least `noticeTime` ago.
    ///
    /// - Parameter isWanted: called before each document and each file. If it returns `false`, the next call removes
    ///   the rest.
    public func remove(_ person: ID<Person>, while isWanted: () -> Bool = { true }) throws(Fault) {
        let isDone = try Self.converting { () throws(DocumentError) in try library.forget(person, while: isWanted) }
        guard isDone else { return }
        do {
            for part in parts { try part.removeAll(person) }
        } catch {
            throw .documents(.unavailable(detail: "\(error)"))
        }
        do throws(AccountError) {
            try accounts.removeAccount(person)
        } catch {
            // Another process may have removed it first.
            if error != .notFound { throw .accounts(error) }
        }
    }

    /// Overwrites what removals left in the database's log and search index. A reader, such as a backup, can prevent it
    /// for a while.
    public func tidy() throws(Fault) { try Self.converting(overwrite) }

    private static func converting<Value>(_ body: () throws(DocumentError) -> Value) throws(Fault) -> Value {
        do throws(DocumentError) { return try body() } catch { throw .documents(error) }
    }

    private static func convertingAccount<Value>(_ body: () throws(AccountError) -> Value) throws(Fault) -> Value {
        do throws(AccountError) { return try body() } catch { throw .accounts(error) }
    }

    /// Removes everybody whose removal was requested at least `noticeTime` ago.
    ///
    /// - Parameters:
    ///   - isWanted: as for `remove`.
    ///   - warn: called with each person who could not be removed now.
    /// - Returns: whether there was anybody to remove.
    public func removeRequested(
        at now: Instant, while isWanted: () -> Bool = { true }, warn: (ID<Person>, Fault) -> Void
    ) throws(Fault) -> Bool {
        let requested = try Self.convertingAccount { () throws(AccountError) in
            try accounts.requestedRemovals(before: now - Self.noticeTime)
        }
        for person in requested {
            do throws(Fault) { try remove(person, while: isWanted) } catch { warn(person, error) }
        }
        return !requested.isEmpty
    }

    /// Removes expired invitations and tickets.
    public func removeExpiredRows(at now: Instant) throws(Fault) {
        try Self.convertingAccount { () throws(AccountError) in try accounts.removeExpiredRows(at: now) }
    }
}
