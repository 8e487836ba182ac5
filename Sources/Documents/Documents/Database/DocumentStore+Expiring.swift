internal import Database
internal import Media

/// Rows that expire; readers ignore expired rows.
extension DocumentStore {
    /// How long events are kept for clients that were disconnected.
    static let eventLifetime: Duration = .seconds(7 * 86_400)
    /// How long a removed person stays known. No upload takes longer.
    static let removalMemory: Duration = .seconds(2 * 86_400)

    /// Deletes what nobody reads any more: events after a week, expired links, and the IDs of removed persons after two
    /// days. It works in small batches, so that nobody's change waits for another person's.
    public func removeExpiredRows() throws(DocumentError) {
        let expiring = [
            (rows: ExpiringRows("document_events", key: "number", time: "created_at"), lifetime: Self.eventLifetime),
            (rows: ExpiringRows("share_links", key: "id", time: "expires_at"), lifetime: .zero),
            (rows: ExpiringRows("removed_persons", key: "user_id", time: "removed_at"), lifetime: Self.removalMemory),
        ]
        let now = try read { table in table.now }
        do {
            for kind in expiring { try database.remove(kind.rows, before: (now - kind.lifetime).microseconds) }
        } catch {
            throw DocumentError(database: error)
        }
    }
}
