internal import Database
internal import Linux
internal import Media
internal import S3

/// The rows of a store in a bucket.
///
/// A holder that continues a file takes its rows under a unique name, and changes them only until another holder takes
/// them. A process that was stopped and lost its lock meanwhile gets `busy`.
struct BucketRows: Sendable {
    private let database: @Sendable () throws -> any SQLDatabase

    /// - Parameter database: opens the database if it is not open.
    init(_ database: @escaping @Sendable () throws -> any SQLDatabase) { self.database = database }

    /// A part with the sums of its blocks, as hexadecimal digits.
    struct Part: Sendable {
        let part: S3Part
        let sums: String
    }

    private static let columns = "object_id, byte_count, touched_at FROM bucket_arrivals"

    /// Creates the tables if they are missing.
    func install() throws(ObjectError) { try asking { database in _ = try database.install(BucketSchema.schema) } }

    /// - Throws: `missing` if the bucket has nothing of such a file.
    func status(of id: ObjectID) throws(ObjectError) -> IncomingStatus {
        let found = try asking { database in
            try database.read { session in
                try session.first("SELECT \(Self.columns) WHERE object_id = ?", [id.rawValue], Self.status)
            }
        }
        guard let found else { throw .missing }
        return found
    }

    /// The same for several files; files of which the bucket has nothing are omitted.
    func status(among ids: [ObjectID]) throws(ObjectError) -> [IncomingStatus] {
        try asking { database in
            try database.read { session in
                let dialect = session.dialect
                return try session.all(
                    "SELECT \(Self.columns) WHERE \(dialect.isAmong("object_id", "text"))",
                    [dialect.list(ids.map { "\"\($0.rawValue)\"" })], Self.status)
            }
        }
    }

    /// Whether nothing was added to a file for a time.
    ///
    /// - Throws: `missing`.
    func isUntouched(_ id: ObjectID, for age: Duration) throws(ObjectError) -> Bool {
        let touched = try status(of: id).modified / 1000
        return try asking { database in touched <= Self.latest(age, database) }
    }

    /// The incoming files to which nothing was added for a time, sorted by identity.
    func all(untouchedFor age: Duration) throws(ObjectError) -> [IncomingStatus] {
        try asking { database in
            let latest = Self.latest(age, database)
            return try database.read { session in
                try session.all(
                    "SELECT \(Self.columns) WHERE touched_at <= ? ORDER BY object_id", [latest], Self.status)
            }
        }
    }

    /// The moment that long ago, by the clock of the rows.
    private static func latest(_ age: Duration, _ database: any SQLDatabase) -> Int64 {
        database.microseconds - Int64(age.milliseconds * 1000)
    }

    private static func status(_ row: any SQLRow) -> IncomingStatus? {
        guard let id = row.text(0).flatMap({ ObjectID(rawValue: $0) }), let byteCount = row.integer(1),
            let touched = row.integer(2)
        else { return nil }
        return IncomingStatus(id: id, byteCount: byteCount, modified: touched * 1000)
    }

    /// Takes the rows of a file for a holder.
    ///
    /// - Returns: `nil` if there are none.
    func take(_ id: ObjectID, for holder: String) throws(ObjectError) -> Arrival? {
        try asking { database in
            try database.write([], .fast) { session in
                guard
                    try session.execute(
                        "UPDATE bucket_arrivals SET holder = ? WHERE object_id = ?", [holder, id.rawValue]) == 1
                else { return nil }
                let parts = try session.all(
                    "SELECT number, tag, sums FROM bucket_parts WHERE object_id = ? ORDER BY number", [id.rawValue]
                ) { row -> Part? in
                    guard let number = row.integer(0), let tag = row.text(1), let sums = row.text(2) else { return nil }
                    return Part(part: S3Part(number: Int(number), tag: tag), sums: sums)
                }
                let arrival = try session.first(
                    """
                    SELECT byte_count, upload, midpoint, head, tail, digest FROM bucket_arrivals WHERE object_id = ?
                    """, [id.rawValue]
                ) { Self.arrival($0, parts) }
                guard let arrival else {
                    throw ObjectError(S3Fault.corrupted("the rows of the file that arrives as \(id)"))
                }
                return arrival
            }
        }
    }

    /// - Returns: `nil` for rows that no program has written.
    private static func arrival(_ row: any SQLRow, _ parts: [Part]) -> Arrival? {
        guard let byteCount = row.integer(0), parts.enumerated().allSatisfy({ $1.part.number == $0 + 1 }),
            let sums = Hex.bytes(parts.flatMap(\.sums.utf8))
        else { return nil }
        var arrival = Arrival()
        arrival.hasRows = true
        (arrival.upload, arrival.parts) = (row.text(1), parts.map(\.part))
        (arrival.head, arrival.tail) = (row.text(3), row.text(4))
        guard arrival.parts.isEmpty || arrival.upload != nil else { return nil }
        if let text = row.text(5) {
            guard let digest = Digest(hex: text), arrival.tail == nil else { return nil }
            arrival.sealed = ContentSums(digest: digest, byteCount: byteCount, sums: sums)
            return arrival
        }
        let sent = Int64(parts.count) * Int64(Arrival.partByteCount)
        guard let midpoint = row.text(2).flatMap({ Hex.bytes(Array($0.utf8)) }),
            let hasher = BlockHasher(byteCount: sent, midpoint: midpoint, sums: sums), byteCount >= sent
        else { return nil }
        arrival.hasher = hasher
        return arrival
    }

    /// Writes the progress of a file.
    ///
    /// - Parameters:
    ///   - byteCount: the number of all bytes, including the tail.
    ///   - part: the last part, if it has no row yet.
    /// - Throws: `busy` if another holder has taken the file.
    func save(
        _ arrival: inout Arrival, of id: ObjectID, _ byteCount: Int64, for holder: String, adding part: Part?
    ) throws(ObjectError) {
        let midpoint = arrival.sealed == nil ? Hex.string(arrival.hasher.midpoint.midpoint) : ""
        try asking { database in
            let moment = database.microseconds
            try database.write { session in
                let values: [(any SQLConvertible)?] = [
                    byteCount, arrival.upload, midpoint, arrival.head, arrival.tail, arrival.sealed?.digest.hex,
                    moment, id.rawValue, holder,
                ]
                let change =
                    !arrival.hasRows
                    ? """
                    INSERT INTO bucket_arrivals
                        (byte_count, upload, midpoint, head, tail, digest, touched_at, object_id, holder)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (object_id) DO UPDATE SET byte_count = excluded.byte_count, upload = excluded.upload,
                        midpoint = excluded.midpoint, head = excluded.head, tail = excluded.tail,
                        digest = excluded.digest, touched_at = excluded.touched_at
                    WHERE bucket_arrivals.holder = excluded.holder
                    """
                    : """
                    UPDATE bucket_arrivals SET byte_count = ?, upload = ?, midpoint = ?, head = ?, tail = ?, digest = ?,
                        touched_at = ?
                    WHERE object_id = ? AND holder = ?
                    """
                guard try session.execute(change, values) == 1 else { throw ObjectError.busy }
                if let part {
                    try session.execute(
                        """
                        INSERT INTO bucket_parts (object_id, number, tag, sums) VALUES (?, ?, ?, ?)
                        ON CONFLICT (object_id, number) DO UPDATE SET tag = excluded.tag, sums = excluded.sums
                        """, [id.rawValue, part.part.number, part.part.tag, part.sums])
                }
                // From here on, the object may exist, and an existing object always has its sums.
                if let sums = arrival.sealed { try Self.keep(sums, of: id, session) }
            }
        }
        arrival.hasRows = true
    }

    /// Removes the rows of a file that no longer arrives.
    ///
    /// - Throws: `busy` if another holder has taken the file.
    func end(_ id: ObjectID, for holder: String) throws(ObjectError) {
        try asking { database in
            try database.write { session in
                let isOthers = try session.hasRow(
                    "SELECT 1 FROM bucket_arrivals WHERE object_id = ? AND holder <> ?", [id.rawValue, holder])
                if isOthers { throw ObjectError.busy }
                for table in ["bucket_parts", "bucket_arrivals"] {
                    try session.execute("DELETE FROM \(table) WHERE object_id = ?", [id.rawValue])
                }
            }
        }
    }

    /// The pieces and multipart uploads that incoming files need.
    func inUse() throws(ObjectError) -> Set<String> {
        try asking { database in
            try database.read { session in
                var found: Set<String> = []
                try session.forEachRow("SELECT head, tail, upload FROM bucket_arrivals", []) { row in
                    for column in 0..<3 { row.text(column).map { _ = found.insert($0) } }
                }
                return found
            }
        }
    }

    // MARK: Sums

    /// The sums of an object that has none in its metadata.
    func sums(of id: ObjectID) throws(ObjectError) -> ContentSums? {
        try asking { database in
            try database.read { session in
                try session.first(
                    "SELECT digest, byte_count, sums FROM bucket_sums WHERE object_id = ?", [id.rawValue]
                ) { row -> ContentSums? in
                    guard let digest = row.text(0).flatMap({ Digest(hex: $0) }), let byteCount = row.integer(1),
                        let sums = row.text(2).flatMap({ Hex.bytes(Array($0.utf8)) })
                    else { return nil }
                    return ContentSums(digest: digest, byteCount: byteCount, sums: sums)
                }
            }
        }
    }

    private static func keep(_ sums: ContentSums, of id: ObjectID, _ session: any SQLSession) throws {
        try session.execute(
            """
            INSERT INTO bucket_sums (object_id, digest, byte_count, sums) VALUES (?, ?, ?, ?)
            ON CONFLICT (object_id) DO NOTHING
            """, [id.rawValue, sums.digest.hex, sums.byteCount, Hex.string(sums.sums)])
    }

    func removeSums(of id: ObjectID) throws(ObjectError) {
        try asking { database in
            try database.write { session in
                _ = try session.execute("DELETE FROM bucket_sums WHERE object_id = ?", [id.rawValue])
            }
        }
    }

    private func asking<Answer>(_ body: (any SQLDatabase) throws -> Answer) throws(ObjectError) -> Answer {
        do {
            return try body(try database())
        } catch let error as ObjectError {
            throw error
        } catch let error as any SQLFault where error.trouble == .full {
            throw .noSpace(detail: "\(error)")
        } catch {
            throw .unavailable(detail: "\(error)")
        }
    }
}
