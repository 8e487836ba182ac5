import Database
import Linux
import Media
import People
import PostgreSQLSupport
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("The service's keys in its database", .deadline)
struct KeyStoreTests {
    enum Driver: CaseIterable {
        case sqlite
        case postgreSQL
    }

    /// A database whose clock a test sets, as several hosts use it.
    private struct Bench {
        static let secret = KeySeal.makeText()

        let path = "\(TemporaryFolder.make("keys"))/file"
        let scratch: ScratchDatabase?

        init(_ driver: Driver) throws { scratch = driver == .postgreSQL ? try ScratchDatabase() : nil }

        /// The database as another process opens it.
        func database() throws -> any SQLDatabase {
            try scratch?.reopened(listens: false) ?? SQLiteDatabase(path: path)
        }

        func store(_ secret: String = secret) throws -> SQLKeyStore {
            try SQLKeyStore(try database(), sealedBy: try #require(KeySeal(secret)))
        }

        /// Makes all keys older by a duration.
        func pass(_ duration: Duration) throws {
            let microseconds = duration.components.seconds * 1_000_000
            try database().write { _ = try $0.execute("UPDATE service_keys SET made_at = made_at - ?", [microseconds]) }
        }

        func sealed() throws -> [String] {
            try database().read { session in try session.all("SELECT sealed FROM service_keys") { $0.text(0) } }
        }
    }

    /// The valid secrets; the first one makes new things.
    private func list(_ secrets: Secrets) -> [[UInt8]] {
        var found: [[UInt8]] = []
        _ = secrets.first { secret -> Bool? in
            found.append(secret)
            return nil
        }
        return found
    }

    @Test("Of ten programs that start together one makes the keys, and all have them", arguments: Driver.allCases)
    func start(driver: Driver) throws {
        let bench = try Bench(driver)
        let found = Mutex<[[[UInt8]]]>([])
        let errors = Mutex<[String]>([])
        let threads = try (0..<10).map { _ in
            try WorkerThread(name: "starter") {
                do {
                    let secrets = list(try bench.store().secrets())
                    found.withLock { $0.append(secrets) }
                } catch {
                    errors.withLock { $0.append("\(error)") }
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(errors.withLock { $0 } == [])
        let all = found.withLock { $0 }
        #expect(all.count == 10 && Set(all).count == 1 && all[0].count == 1 && all[0][0].count == 32)
        #expect(try bench.sealed().count == 2, "a secret, and a key of tokens")
    }

    @Test(
        "A new key is known at once, and makes things when everybody knows it; older secrets count on",
        arguments: Driver.allCases)
    func succession(driver: Driver) throws {
        let bench = try Bench(driver)
        let (here, there) = (try bench.store(), try bench.store())
        let first = list(try here.secrets())
        try bench.pass(.seconds(60))
        #expect(try there.rotate(endsOlder: false) == [.secret: 2, .tokens: 2])
        let early = list(try here.secrets())
        #expect(early.count == 2 && early[0] == first[0], "another host may not know the new one yet")
        try bench.pass(.seconds(10))
        #expect(list(try here.secrets()) == early.reversed())
        try bench.pass(.seconds(86_400))
        #expect(list(try here.secrets()) == early.reversed())
    }

    @Test("A key of tokens counts until its last token has ended, and is removed then", arguments: Driver.allCases)
    func tokens(driver: Driver) throws {
        let bench = try Bench(driver)
        let store = try bench.store()
        func keys() throws -> [String] {
            let ring = try KeyRing(store) { _ in }
            defer { ring.stop() }
            return ring.signingKeys()
        }
        let first = try keys()
        #expect(first.count == 1 && first[0].hasPrefix("-----BEGIN PRIVATE KEY-----"))
        try bench.pass(.seconds(60))
        try store.rotate(endsOlder: false)
        #expect(try keys().count == 2 && keys()[0] == first[0])
        try bench.pass(.seconds(900))
        #expect(try keys().count == 2 && keys()[1] == first[0])
        try bench.pass(.seconds(73))
        #expect(try keys().count == 1 && keys() != first)
        #expect(try store.rotate(endsOlder: false) == [.secret: 3, .tokens: 2])
    }

    @Test("Whoever ends older keys has new ones at once", arguments: Driver.allCases)
    func ending(driver: Driver) throws {
        let bench = try Bench(driver)
        let store = try bench.store()
        let first = list(try store.secrets())
        #expect(try store.rotate(endsOlder: true) == [.secret: 1, .tokens: 1])
        let second = list(try store.secrets())
        #expect(second.count == 1 && second != first)
    }

    @Test("Under another secret no key is read or added; all can be replaced", arguments: Driver.allCases)
    func otherSecret(driver: Driver) throws {
        let bench = try Bench(driver)
        _ = try bench.store().secrets()
        let other = try bench.store(KeySeal.makeText())
        #expect(throws: SQLKeyStore.Trouble.otherSecret) { try other.secrets() }
        #expect(throws: SQLKeyStore.Trouble.otherSecret) { try other.rotate(endsOlder: false) }
        #expect(try list(bench.store().secrets()).count == 1)
        try other.rotate(endsOlder: true)
        #expect(try list(other.secrets()).count == 1)
        #expect(throws: SQLKeyStore.Trouble.otherSecret) { try bench.store().secrets() }
    }

    @Test("A row cannot be changed, or stand for a key of another purpose", arguments: Driver.allCases)
    func changed(driver: Driver) throws {
        let bench = try Bench(driver)
        let store = try bench.store()
        let secret = list(try store.secrets())[0]
        let sealed = try bench.sealed()
        #expect(!sealed.contains { $0.contains(Hex.string(secret)) })
        func change(_ sql: String) throws { try bench.database().write { _ = try $0.execute(sql) } }
        try change("UPDATE service_keys SET purpose = CASE purpose WHEN 'secret' THEN 'tokens' ELSE 'secret' END")
        #expect(throws: SQLKeyStore.Trouble.otherSecret) { try store.secrets() }
        try change("UPDATE service_keys SET purpose = CASE purpose WHEN 'secret' THEN 'tokens' ELSE 'secret' END")
        #expect(list(try store.secrets()) == [secret])
        for made in ["9223372036854775807", "-9223372036854775808"] {
            try change("UPDATE service_keys SET made_at = \(made)")
            #expect(list(try store.secrets()) == [secret])
        }
        try change("UPDATE service_keys SET sealed = substr(sealed, 1, length(sealed) - 2) || 'zz'")
        #expect(throws: SQLKeyStore.Trouble.otherSecret) { try store.secrets() }
    }

    @Test("Keys of a purpose that only a newer program knows are left alone", arguments: Driver.allCases)
    func purposes(driver: Driver) throws {
        let bench = try Bench(driver)
        let store = try bench.store()
        let first = list(try store.secrets())
        try bench.database().write { session in
            _ = try session.execute("INSERT INTO service_keys (purpose, sealed, made_at) VALUES ('mail', 'x', 0)")
        }
        #expect(try list(store.secrets()) == first)
        #expect(try store.rotate(endsOlder: false) == [.secret: 2, .tokens: 2])
        #expect(try bench.sealed().count == 5)
    }

    @Test("Keys go with their database to another one, in place of those that it has")
    func copies() throws {
        let (bench, other) = (try Bench(.sqlite), try Bench(.sqlite))
        _ = try other.store().secrets()
        try SQLKeyStore.copyKeys(from: try bench.database(), to: try other.database())
        #expect(try other.sealed().count == 2, "there is nothing to copy yet")
        let keys = list(try bench.store().secrets())
        try SQLKeyStore.copyKeys(from: try bench.database(), to: try other.database())
        #expect(try list(other.store().secrets()) == keys)
    }

    @Test(
        "A service that runs learns of keys that another host adds or ends; while the database is away it keeps its own",
        arguments: Driver.allCases)
    func ring(driver: Driver) throws {
        let bench = try Bench(driver)
        let told = Mutex<[Bool]>([])
        let ring = try KeyRing(bench.store()) { trouble in told.withLock { $0.append(trouble != nil) } }
        defer { ring.stop() }
        let first = list(ring.secrets)
        try bench.store().rotate(endsOlder: false)
        #expect(eventually { list(ring.secrets).count == 2 })
        try bench.database().write { _ = try $0.execute("ALTER TABLE service_keys RENAME TO elsewhere") }
        #expect(eventually { told.withLock { $0 } == [true] })
        #expect(list(ring.secrets).contains(first[0]))
        #expect(eventually { ring.hindrance != nil }, "after ten seconds")
        try bench.database().write { _ = try $0.execute("ALTER TABLE elsewhere RENAME TO service_keys") }
        #expect(eventually { told.withLock { $0 } == [true, false] && ring.hindrance == nil })
        try bench.store().rotate(endsOlder: true)
        #expect(eventually { list(ring.secrets).count == 1 && list(ring.secrets) != first })
        // The operator has lost the secret, and made another one.
        let last = list(ring.secrets)
        try bench.store(KeySeal.makeText()).rotate(endsOlder: true)
        #expect(eventually { list(ring.secrets) != last && !list(ring.secrets).contains(last[0]) })
        #expect(list(ring.secrets).count == 1 && ring.signingKeys().count == 1, "of this process alone")
    }

    @Test(
        "A secret is 64 hexadecimal digits",
        arguments: ["", "secret", String(repeating: "g", count: 64), String(repeating: "0", count: 62)])
    func noSecret(text: String) { #expect(KeySeal(text) == nil) }
}
