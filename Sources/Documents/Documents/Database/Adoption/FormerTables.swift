internal import Database

/// The tables that a database of the app had before this service: they have the names of this service's tables, but
/// other columns.
///
/// Adopting moves them unchanged into the schema `adopted`, where they stay. Their rows are then copied one by one
/// (`DocumentStore.adopt`). `adopted.progress` has the IDs of copied rows, so that nothing is copied twice, and nothing
/// deleted since comes back. A waiting document is there with its place, oldest first, and with the reason why it was
/// last left out.
enum FormerTables {
    private static let names = ["documents", "schools", "document_shares", "communication_templates"]

    /// Moves the tables out of the way on request.
    ///
    /// - Parameter moves: whether somebody requested it.
    /// - Throws: `unavailable` if there are such tables and nobody requested it.
    static func clear(_ session: any SQLSession, moves: Bool) throws {
        if session.dialect == .sqlite { return }
        let found = try session.all(
            """
            SELECT table_name FROM information_schema.tables
            WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name = ANY (CAST(? AS text[]))
            ORDER BY table_name
            """, [SQLArray.text(names)]
        ) { $0.text(0) }
        if found.isEmpty { return }
        guard moves else {
            throw DocumentError.unavailable(
                detail: """
                    it contains tables of another program (\(found.joined(separator: ", "))): `documentd migrate --adopt` imports what is \
                    in them
                    """)
        }
        try session.script(
            """
            CREATE SCHEMA adopted;
            CREATE TABLE adopted.progress (item TEXT COLLATE "C" PRIMARY KEY);
            \(found.map { "ALTER TABLE \($0) SET SCHEMA adopted;" }.joined(separator: "\n"))
            """)
    }

    /// Gives the documents their places, once: sorting them for each page would take longer with each row.
    ///
    /// The transaction may take as long as it needs.
    static func order(_ session: any SQLSession) throws {
        guard session.dialect == .postgreSQL, try has("progress", in: session) else { return }
        let isOrdered = try session.hasRow(
            """
            SELECT 1 FROM information_schema.columns
            WHERE table_schema = 'adopted' AND table_name = 'progress' AND column_name = 'place'
            """)
        if isOrdered { return }
        try session.script("ALTER TABLE adopted.progress ADD COLUMN place BIGINT, ADD COLUMN reason TEXT;")
        guard try has("documents", in: session) else { return }
        try session.script(
            """
            INSERT INTO adopted.progress (item, place)
                SELECT CAST(former.id AS text),
                    row_number() OVER (ORDER BY to_jsonb(former) ->> 'created_at' NULLS FIRST, former.id)
                FROM adopted.documents AS former WHERE former.id IS NOT NULL
                ON CONFLICT DO NOTHING;
            CREATE UNIQUE INDEX progress_places ON adopted.progress (place) WHERE place IS NOT NULL;
            CREATE INDEX former_identities ON adopted.documents ((CAST(id AS text)) COLLATE "C");
            ANALYZE adopted.progress;
            ANALYZE adopted.documents;
            """)
    }

    /// Whether a table was moved.
    static func has(_ name: String, in session: any SQLSession) throws -> Bool {
        try session.hasRow("SELECT 1 WHERE to_regclass('adopted.\(name)') IS NOT NULL")
    }
}
