public import Database
internal import Media

/// The service's keys in its database, sealed. Every process over the database has the same keys, on any host.
public final class SQLKeyStore: Sendable {
    private let database: any SQLDatabase
    private let seal: KeySeal

    /// Why the keys cannot be read.
    public enum Trouble: Error, Hashable, Sendable {
        /// A key was sealed under another secret, or is damaged.
        case otherSecret
        /// The limit of keys is reached.
        case tooMany(Int)
        case unavailable(detail: String)
    }

    /// Creates the table, or migrates it to this program's version.
    ///
    /// - Throws: `unavailable`, also for a database of a newer program.
    public init(_ database: any SQLDatabase, sealedBy seal: KeySeal) throws(Trouble) {
        self.database = database
        self.seal = seal
        do { try database.install(KeySchema.schema) } catch { throw Self.converted(error) }
    }

    /// The lock by which changes of the keys wait for each other.
    private static let lock = SQLLock.exclusive(0x636D_7008)
    /// Each old secret costs one more code for each check that fails.
    private static let mostCount = 100
    /// How long an access token is valid, with a minute for processes that notice late.
    private static let lifetimeOfTokens = AccessTokens.lifetime + .seconds(60)

    private static func converted(_ error: any Error) -> Trouble {
        error as? Trouble ?? .unavailable(detail: "\(error)")
    }

    /// The time of the clock for all keys.
    var moment: Instant { Instant(microseconds: database.microseconds) }

    static func lifetime(of purpose: KeyPurpose) -> Duration? { purpose == .tokens ? lifetimeOfTokens : nil }

    /// All keys; makes one for each purpose that has none. Of processes that start together, one makes it.
    func keys() throws(Trouble) -> [KeyPurpose: KeySuccession] {
        do {
            let found = try database.read { session in try rows(session) }
            if KeyPurpose.allCases.allSatisfy({ found[$0] != nil }) { return found }
            return try database.write([Self.lock]) { session in
                let found = try rows(session)
                for purpose in KeyPurpose.allCases where found[purpose] == nil { try add(to: purpose, session) }
                return try rows(session)
            }
        } catch {
            throw Self.converted(error)
        }
    }

    /// Adds a key to each purpose, which makes things soon. Keys whose things have all expired are removed.
    ///
    /// - Parameter endsOlder: whether all older keys are removed, which ends everything that they have made; they need
    ///   not be readable.
    /// - Returns: how many keys there are now.
    @discardableResult
    public func rotate(endsOlder: Bool) throws(Trouble) -> [KeyPurpose: Int] {
        do {
            return try database.write([Self.lock]) { session in
                if endsOlder {
                    try session.execute("DELETE FROM service_keys")
                } else {
                    let found = try rows(session)
                    for (purpose, keys) in found { try removeIdle(keys, of: purpose, session) }
                }
                for purpose in KeyPurpose.allCases { try add(to: purpose, session) }
                return try rows(session).mapValues(\.keys.count)
            }
        } catch {
            throw Self.converted(error)
        }
    }

    /// A newer program may have keys of further purposes.
    private func rows(_ session: any SQLSession) throws -> [KeyPurpose: KeySuccession] {
        var found: [KeyPurpose: KeySuccession] = [:]
        for purpose in KeyPurpose.allCases {
            let keys = try session.all(
                "SELECT id, sealed, made_at FROM service_keys WHERE purpose = ? ORDER BY id", [purpose.rawValue]
            ) { row -> KeySuccession.Key in
                guard let id = row.integer(0), let made = row.integer(2),
                    let bytes = row.text(1).flatMap({ seal.open($0, for: purpose) })
                else { throw Trouble.otherSecret }
                return KeySuccession.Key(id: id, bytes: bytes, made: Instant(microseconds: made))
            }
            if !keys.isEmpty { found[purpose] = KeySuccession(keys: keys) }
        }
        return found
    }

    /// The IDs of all keys, including keys that cannot be opened.
    func ids() throws(Trouble) -> Set<Int64> {
        do {
            return try database.read { session in Set(try session.all("SELECT id FROM service_keys") { $0.integer(0) })
            }
        } catch {
            throw Self.converted(error)
        }
    }

    /// Whether a database has keys: if so, a secret that is missing here is elsewhere.
    ///
    /// - Throws: `unavailable`.
    public static func hasKeys(_ database: any SQLDatabase) throws(Trouble) -> Bool {
        do {
            return try database.read { session in
                try session.hasTable("service_keys") && session.hasRow("SELECT 1 FROM service_keys", [])
            }
        } catch {
            throw converted(error)
        }
    }

    /// Replaces the keys of one database by another's, unchanged. Keys that were ended stay so after a restore.
    ///
    /// - Throws: `unavailable`.
    public static func copyKeys(from source: any SQLDatabase, to target: any SQLDatabase) throws(Trouble) {
        do {
            guard try hasKeys(source) else { return }
            let rows = try source.read { session in
                try session.all("SELECT id, purpose, sealed, made_at FROM service_keys") { row in
                    (row.integer(0), row.text(1), row.text(2), row.integer(3))
                }
            }
            try target.install(KeySchema.schema)
            try target.write { session in
                try session.execute("DELETE FROM service_keys")
                for (id, purpose, sealed, made) in rows {
                    try session.execute("INSERT INTO service_keys VALUES (?, ?, ?, ?)", [id, purpose, sealed, made])
                }
            }
        } catch {
            throw converted(error)
        }
    }

    private func add(to purpose: KeyPurpose, _ session: any SQLSession) throws {
        let count = try session.integer("SELECT count(*) FROM service_keys WHERE purpose = ?", [purpose.rawValue]) ?? 0
        guard count < Self.mostCount else { throw Trouble.tooMany(Self.mostCount) }
        let key =
            switch purpose {
            case .secret: [UInt8].random(count: 32)
            case .tokens: Array(AccessTokens.makeKey().utf8)
            }
        try session.execute(
            "INSERT INTO service_keys (purpose, sealed, made_at) VALUES (?, ?, ?)",
            [purpose.rawValue, seal.seal(key, for: purpose), moment.microseconds])
    }

    private func removeIdle(_ keys: KeySuccession, of purpose: KeyPurpose, _ session: any SQLSession) throws {
        let kept = keys.inUse(at: moment, lifetime: Self.lifetime(of: purpose)).count
        try session.execute(
            """
            DELETE FROM service_keys WHERE purpose = ?1 AND id NOT IN (
                SELECT id FROM service_keys WHERE purpose = ?1 ORDER BY id DESC LIMIT ?2)
            """, [purpose.rawValue, kept])
    }
}

extension SQLKeyStore.Trouble: CustomStringConvertible {
    /// The reason with its remedy.
    public var description: String {
        switch self {
        case .otherSecret:
            """
            the keys in the database are damaged, or sealed with another secret: set that one (COMPASS_SECRET, or the file secret.key in \
            the data folder), or make new keys with documentd rotate-keys --end-older
            """
        case .tooMany(let count): "there are \(count) keys, the maximum: use --end-older"
        case .unavailable(let detail): detail
        }
    }
}
