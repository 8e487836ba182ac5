internal import Database
public import Media

/// Rows that expire; readers ignore expired rows.
extension AccountStore {
    private static let invitations = ExpiringRows(
        "account_guardians", key: "id", time: "created_at", where: "guardian_id IS NULL")
    private static let tickets = ExpiringRows("account_tickets", key: "name", time: "ends_at")

    /// Deletes invitations that are too old to be accepted, and tickets that ended long ago. It deletes small batches,
    /// so no change of an account waits for it.
    public func removeExpiredRows(at now: Instant) throws(AccountError) {
        do {
            try database.remove(Self.invitations, before: (now - Guardianship.invitationTime).microseconds)
            try database.remove(Self.tickets, before: (now - Self.ticketMemory).microseconds)
        } catch {
            throw Self.converted(error)
        }
    }
}
