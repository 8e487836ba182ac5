public import Accounts
public import Documents
internal import SQL

/// Rows that count for a time. Whatever reads them leaves out those whose time is over.
extension SQLAccountStore {
    private static let invitations = ExpiringRows(
        "account_guardians", key: "id", time: "created_at", where: "guardian_id IS NULL")
    private static let tickets = ExpiringRows("account_tickets", key: "name", time: "ends_at")

    /// Deletes by the indexes of times.
    @discardableResult
    public func removeExpiredRows(at now: Instant) throws(AccountError) -> Int {
        do {
            return try database.remove(
                Self.invitations, before: (now - Guardianship.invitationTime).microseconds)
                + database.remove(Self.tickets, before: (now - Self.ticketMemory).microseconds)
        } catch {
            throw Self.converted(error)
        }
    }
}
