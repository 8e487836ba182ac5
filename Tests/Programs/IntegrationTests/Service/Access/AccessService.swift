import Database
import DocumentAPI
import Documents
import Foundation
import HTTPServing
import HTTPSyntax
import Hummingbird
import Library
import Logging
import MatchStore
import Media
import Objects
import People
import PersonalData
import PostgreSQLSupport
import QueueWrapping
import RenderHost
import SignIn
import Supabase
import TestSupport
import ThumbnailCache
import Thumbnailer
import TokenMaking

/// Both faces over one library and real accounts. No worker runs, so no picture gets ready.
struct AccessService {
    static let secret = [UInt8](repeating: 42, count: 32)
    static let keys = WireKeys(Secrets(secret))

    let folder: String
    let rules: [RouteRule]
    let store: DocumentStore
    let desk: AccountDesk
    let searches: SearchDesk
    let postings: PostingStore
    let tokens: AccessTokens
    /// Makes the tokens of a service that keeps no accounts.
    let issuer: Issuer?
    /// Persons who act for every owner of things: `viewer`, `manager`, and `former`, whose time is over.
    private(set) var guardians: [String: AccessPerson] = [:]
    private let service: HTTPService
    var port: Int { service.port }
    private let pool: BlockingPool
    /// The database of a service in PostgreSQL.
    private let scratch: ScratchDatabase?

    /// - Parameters:
    ///   - proxies: whether the tests speak as a trusted proxy.
    ///   - issuer: whose tokens the service takes; `nil` for a service that keeps accounts.
    static func start(
        proxies: TrustedProxies = TrustedProxies([]), issuer: Issuer? = nil
    ) async throws -> AccessService {
        let folder = TemporaryFolder.make("access")
        let cache = FolderCache(path: "\(folder)/cache")
        let engine = Thumbnailer(
            host: RenderHost(programs: RendererPrograms(directory: BuiltPrograms.folder)), cache: cache,
            limits: Limits(), maxUnhashedByteCount: 0, threadCount: 1, warn: { _ in })
        let scratch = TestServer.isWanted ? try ScratchDatabase() : nil
        let database: any SQLDatabase = try scratch?.database ?? SQLiteDatabase(path: "\(folder)/documents.sqlite")
        let documents = try DocumentStore(database, recipes: [Preset.grid.recipe])
        var options = DocumentLibrary.Options()
        options.personByteCount = 1 << 40
        let pool = BlockingPool(threadCount: 8, queueLength: 100)
        let parts = ServingParts(metrics: HTTPMetrics(prefix: "access"))
        let logger = Logger(label: "access") { _ in SwiftLogNoOpLogHandler() }
        let router = Router(context: ServiceContext.self)
        router.add(middleware: ExchangeMiddleware(parts, proxies: proxies, log: logger))
        router.add(middleware: SecurityHeaders())
        let store = try AccountStore(database)
        let hasAccounts = issuer == nil
        let library = DocumentLibrary(
            store: documents,
            objects: try FolderStore(path: "\(folder)/store", making: true), queue: try makeScratchQueue(),
            engine: engine,
            cache: cache, options: options,
            mayChange: { actor, owner throws(DocumentError) in
                guard hasAccounts else { return actor == owner }
                do throws(AccountError) {
                    return try store.standing(of: actor, for: owner)?.right == .manage
                } catch {
                    throw .unavailable(detail: "\(error)")
                }
            }, warn: { _ in })
        let desk = try AccountDesk(store, secrets: Secrets(secret))
        let tokens = try await AccessTokens(key: AccessTokens.makeKey())
        let people = AccountAuthenticator(
            tokens, desk, session: { id in try await pool.run { try store.session(id) } },
            standing: { guardian, athlete in try await pool.run { try store.standing(of: guardian, for: athlete) } })
        let signingIn =
            if let issuer {
                SigningIn.elsewhere(try await Self.people(of: issuer))
            } else {
                SigningIn.here(
                    BrowserAccounts(desk, authenticator: people, passwords: pool) { account, accounts in
                        AccountArchive(
                            of: account, in: accounts, documents: library.store, files: library.objects, audit: nil,
                            spoolingIn: folder, at: .now)
                    })
            }
        let postings = try PostingStore(database)
        let searchStore = try SearchStore(database)
        let searches = SearchDesk(
            searchStore, postings, queue: try makeScratchQueue(), lifetime: .seconds(3600),
            removeFile: library.store.removeObject(_:with:))
        // No worker ends what visitors ask for.
        let visitors = VisitorMeter(perLink: 1000, total: 1000)
        let api = DocumentAPI(
            library, work: pool, signingIn: signingIn, signer: AddressSigner(Secrets(secret)),
            visitors: visitors, patience: .zero, jobs: searches)
        api.register(on: router)
        let wire = SupabaseWire(
            library, in: database, work: pool, authenticator: signingIn.authenticator, keys: keys, visitors: visitors,
            isPublic: false, patience: .zero)
        wire.register(on: router)
        let auth = AuthWire(desk, tokens, authenticator: people, work: pool, passwords: pool)
        if issuer == nil { auth.register(on: router) }
        let service = try await HTTPService.start(
            router, parts, host: "127.0.0.1", port: 0, name: "access", logger: logger)
        var made = AccessService(
            folder: folder, rules: api.rules + wire.rules + (issuer == nil ? auth.rules : []), store: library.store,
            desk: desk, searches: searches, postings: postings, tokens: tokens,
            issuer: issuer, service: service, pool: pool, scratch: scratch)
        if issuer == nil {
            for name in ["viewer", "manager", "former"] {
                made.guardians[name] = try await AccessPerson(AccessThings.marker, on: made)
            }
        }
        return made
    }

    private static func people(of issuer: Issuer) async throws -> TokenAuthenticator {
        let set = Issuer.set(issuer.publicKey())
        let keys = try await TokenKeys(secret: nil, fetching: { set })
        await keys.renew()
        return TokenAuthenticator(keys, TokenRule(audience: "authenticated", issuer: Issuer.name))
    }

    func stop() async {
        await service.stop(within: .seconds(5))
        await pool.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Sends a request, and reads its answer; of a stream, what comes first.
    func send(_ request: AccessRequest) async throws -> ServiceClient.Answer {
        let client = ServiceClient(port: service.port)
        return try await pool.run {
            guard request.address.hasPrefix("/api/events") else {
                return try client.send(
                    request.method, request.address, headers: request.headers, body: request.body)
            }
            let fields = request.headers.map { "\($0.key): \($0.value)\r\n" }.joined()
            let head = "GET \(request.address) HTTP/1.1\r\nHost: \(client.host)\r\nConnection: close\r\n\(fields)\r\n"
            let answer = try client.exchange(Array(head.utf8)) {
                String(decoding: $0, as: UTF8.self).contains("\r\n\r\n")
            }
            guard let answer else { throw Failure(.unavailable, detail: "no answer to \(request.address)") }
            return answer
        }
    }
}

/// One request of the matrix.
struct AccessRequest: Sendable {
    var method: String
    var address: String
    var headers: [String: String] = [:]
    var body: [UInt8]?
}

extension AccessService {
    /// Begins a search by a file that is not there.
    func addSearch(fileName: String, of owner: ID<Person>) throws -> ResumeSearch {
        try store.transaction {
            let object = NewObject(
                id: .random(), owner: owner, path: nil, digest: Digest(hex: String(repeating: "a", count: 64))!,
                byteCount: 1, mediaType: .pdf, facts: nil, verdict: .passed)
            try store.add(object)
            return try searches.begin(object.id, fileName: fileName, owner: owner)
        }
    }
}
