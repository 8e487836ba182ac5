import Console
import Database
import DocumentAPI
import HTTPServing
import HTTPSyntax
import HTTPTypes
import Hummingbird
import Library
import Linux
import Logging
import MatchStore
import Media
import NIOCore
import Objects
import People
import PersonalData
import SignIn
import Supabase
import Web

/// Serves the faces of the library over HTTP.
struct DocumentServer {
    private let settings: ServiceSettings
    private let proxies: TrustedProxies
    private let origins: AllowedOrigins
    private let library: DocumentLibrary
    private let database: any SQLDatabase
    private let searches: SearchDesk
    private let keys: WireKeys
    private let signer: AddressSigner
    private let people: PeopleService
    private let readiness: @Sendable () -> [String]
    private let audit: AuditLog?
    private let archive: @Sendable (Account, AccountDesk) -> AccountArchive
    private let logger: Logger
    /// Two threads per party keep two processors busy with database calls. With more, a party's short calls delay each
    /// other.
    private let pool = BlockingPool(threadCount: 16, queueLength: 4096, threadsOfParty: 2)
    /// For calls to the store of files, which may not respond.
    private let filePool = BlockingPool(threadCount: 16, queueLength: 4096)
    /// For reads that usually take less than a millisecond: they do not wait behind uploads.
    private let quickPool = BlockingPool(threadCount: 4, queueLength: 1024, threadsOfParty: 2)
    /// All visitors of links.
    private let visitors = VisitorMeter()
    /// All visitors with a signed or public address, whichever face they use.
    private let signedVisitors = VisitorMeter()
    private let parts: ServingParts

    /// - Parameters:
    /// - database: the database that has all stores.
    /// - readiness: the reasons why the service cannot work now; empty if it can.
    /// - Throws: `usage` if the list of proxies or of origins is invalid.
    init(
        _ settings: ServiceSettings, _ library: DocumentLibrary, in database: any SQLDatabase, _ searches: SearchDesk,
        _ secrets: Secrets, _ people: PeopleService,
        audit: AuditLog?, archive: @escaping @Sendable (Account, AccountDesk) -> AccountArchive, _ logger: Logger,
        readiness: @escaping @Sendable () -> [String]
    ) throws(Failure) {
        guard let proxies = TrustedProxies(settings.trustedProxies) else {
            throw Failure(
                .usage,
                message:
                    "--trusted-proxies takes addresses such as 127.0.0.1, 10.0.0.0/8, not “\(settings.trustedProxies)”."
            )
        }
        self.settings = settings
        self.proxies = proxies
        var limits = ConnectionLimits(stallTime: settings.stallTime)
        limits.connectionCountPerNetwork = settings.connectionsPerAddress
        parts = ServingParts(limits: limits, metrics: HTTPMetrics(prefix: "documentd"))
        origins = try Self.origins(settings)
        self.library = library
        self.database = database
        self.searches = searches
        keys = WireKeys(secrets)
        signer = AddressSigner(secrets)
        self.people = people
        self.audit = audit
        self.archive = archive
        self.logger = logger
        self.readiness = readiness
    }

    /// Without accounts, a page of another site would need no credentials to act as the local person.
    private static func origins(_ settings: ServiceSettings) throws(Failure) -> AllowedOrigins {
        guard let origins = AllowedOrigins(settings.allowedOrigins) else {
            throw Failure(
                .usage,
                message:
                    "--allowed-origins takes origins such as https://app.example.org, without a path and without *, "
                    + "not “\(settings.allowedOrigins)”.")
        }
        guard origins.isEmpty || settings.authentication != .off else {
            throw Failure(.usage, message: "--allowed-origins needs --auth local or --auth tokens.")
        }
        return origins
    }

    /// Starts to listen.
    ///
    /// - Throws: `unavailable` if the address is not available.
    func start() throws(Failure) -> HTTPService {
        let (address, parts, proxies, logger) = (settings.address, parts, proxies, logger)
        let elsewhere = people.accounts?.elsewhere(pool)
        let signingIn = people.signingIn(pool, elsewhere, archive: archive)
        // The local person is trusted.
        let meter = people.isLocalPerson ? nil : settings.requestsPerMinute.map { RequestMeter(perMinute: $0) }
        let uploads = people.isLocalPerson ? nil : settings.uploadsAtOnce.map { ConcurrencyMeter(atOnce: $0) }
        let searchesPerHour = people.isLocalPerson ? nil : settings.searchesPerHour
        let api = DocumentAPI(
            library, work: pool, files: filePool, signingIn: signingIn, signer: signer,
            longestSignature: settings.signedAddressSeconds, visitors: visitors, signedVisitors: signedVisitors,
            patience: settings.pictureWait,
            meter: meter, uploads: uploads, streams: people.isLocalPerson ? nil : StreamMeter(),
            beginnings: searchesPerHour.map { RequestMeter(perHour: $0) },
            // A school's pupils, or a carrier's phones, share one network.
            networkBeginnings: searchesPerHour.map { RequestMeter(perHour: $0 * 10) }, audit: audit, jobs: searches)
        let router = router(api, signingIn.authenticator, elsewhere, meter, uploads)
        let ready = ReadyWay(
            ReadyRoutes(api: api, isLoopback: people.isLocalPerson, origins: origins), parts, work: quickPool,
            proxies: proxies,
            log: logger)
        let start = Promise<Result<HTTPService, Failure>>()
        Task {
            do throws(Failure) {
                start.fulfil(
                    .success(
                        try await HTTPService.start(
                            router, parts, ready: ready, proxies: proxies, host: address.host, port: address.port,
                            name: "documentd", logger: logger)))
            } catch {
                start.fulfil(.failure(error))
            }
        }
        let service = try start.wait().get()
        logger.notice("serving", metadata: ["address": "http://\(address.host):\(service.port)"])
        return service
    }

    /// Lets running requests finish within a limit, then ends the threads.
    func stop(_ service: HTTPService, within bound: Duration) {
        let isOver = Promise<Void>()
        let (pools, accounts) = ([pool, filePool, quickPool], people.accounts)
        Task {
            await service.stop(within: bound)
            for pool in pools { await pool.stop() }
            await accounts?.stop()
            isOver.fulfil(())
        }
        _ = isOver.wait(until: Time.monotonic + bound + .seconds(2))
    }

    /// Closes all connections, and with them the running requests.
    func cut(_ service: HTTPService) {
        Task { await service.stop(within: .zero) }
    }

    private func router(
        _ api: DocumentAPI, _ authenticator: any Authenticator, _ elsewhere: SignInElsewhere?, _ meter: RequestMeter?,
        _ uploads: ConcurrencyMeter?
    ) -> Router<ServiceContext> {
        // A route that takes GET also takes HEAD, unless a face says otherwise.
        let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
        router.add(
            middleware: ExchangeMiddleware(
                parts, proxies: proxies, log: logger, secretFolders: DocumentAPI.secretFolders))
        router.add(middleware: SecurityHeaders())
        router.add(middleware: CrossOriginAnswers(origins))
        if people.isLocalPerson { router.add(middleware: LoopbackMiddleware()) }
        router.add(middleware: UnknownAddressMiddleware())
        router.add(middleware: MissingPage())
        api.register(on: router)
        SupabaseWire(
            library, in: database, work: pool, files: filePool, authenticator: authenticator, keys: keys,
            longestSignature: settings.signedAddressSeconds, visitors: signedVisitors,
            isPublic: settings.hasPublicFiles,
            patience: settings.pictureWait, meter: meter, uploads: uploads,
            audit: audit
        ).register(on: router)
        people.accounts?.wire(pool, audit: audit, meter: meter, elsewhere: elsewhere, api: api).register(on: router)
        WebFiles.register(on: router)
        addStatus(to: router)
        return router
    }

    /// No call of the pools for the stores takes this long unless it hangs.
    private static let hangingTime: Duration = .seconds(60)

    /// Health, readiness and metrics. Internal details are only for this machine, and for holders of the service's
    /// secret key.
    private func addStatus(to router: Router<ServiceContext>) {
        let (readiness, parts, quickPool, library) = (readiness, parts, quickPool, library)
        let pools = [pool, filePool, quickPool]
        let keys = keys
        @Sendable func mayKnow(_ request: Request, _ context: ServiceContext) -> Bool {
            if context.passage.origin.address?.isLoopback == true { return true }
            let words = request.headers[.authorization]?.split(separator: " ") ?? []
            return words.count == 2 && keys.isServiceKey(String(words[1]))
        }
        router.get("/healthz") { [pool] _, _ in
            // Without the pool of the files: their store may not respond, which no restart fixes.
            let isHanging = [pool, quickPool].contains { $0.isStuck(for: Self.hangingTime) }
            return isHanging ? Self.text("hanging\n", status: .serviceUnavailable) : Self.text("ok\n")
        }
        router.get("/readyz") { request, context in
            let notReadyReasons = try await quickPool.run { readiness() }
            let reasons = mayKnow(request, context) ? notReadyReasons : ["not ready"]
            return Self.text(
                notReadyReasons.isEmpty ? "ready\n" : reasons.map { "\($0)\n" }.joined(),
                status: notReadyReasons.isEmpty ? .ok : .serviceUnavailable)
        }
        router.get("/metrics") { request, context in
            guard mayKnow(request, context) else {
                return Self.text(
                    "Metrics are for loopback, or need the key of `documentd keys --service` as bearer token.\n",
                    status: .forbidden)
            }
            let (loads, memory) = (pools.map(\.load), library.objects.memory)
            let families =
                parts.metrics.families + [
                    .gauge("documentd_connections", "Open connections.", ["": Double(parts.connectionCount)]),
                    .gauge(
                        "documentd_blocking_calls", "Blocking calls that are running or waiting for a thread.",
                        [
                            "state=\"running\"": Double(loads.reduce(0) { $0 + $1.running }),
                            "state=\"waiting\"": Double(loads.reduce(0) { $0 + $1.waiting }),
                        ]),
                    .gauge(
                        "documentd_transfer_memory_bytes", "Memory that transfers use.",
                        [
                            "use=\"uploads\"": Double(memory.uploads.usedByteCount),
                            "use=\"reading\"": Double(memory.reading.usedByteCount),
                        ]),
                    .gauge(
                        "documentd_transfer_waiting", "Transfers that are waiting for memory.",
                        ["use=\"uploads\"": Double(memory.uploads.waitingCount)]),
                    .gauge(
                        "documentd_event_clients", "Clients that follow the event stream.",
                        ["": Double(library.events.followerCount)]),
                ]
            return Self.text(families.map(\.text).joined(), type: "text/plain; version=0.0.4; charset=utf-8")
        }
    }

    private static func text(
        _ text: String, status: HTTPResponse.Status = .ok, type: String = "text/plain; charset=utf-8"
    ) -> Response {
        Response(
            status: status, headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

/// Refuses requests from other sites' pages, and under other host names: without accounts everyone on this machine is
/// trusted.
struct LoopbackMiddleware: RouterMiddleware {
    typealias Context = ServiceContext

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let refusal = Self.refusal(of: request.head, port: context.channel.localAddress?.port ?? 0)
        guard let refusal else { return try await next(request, context) }
        let json = JSON.object([
            "success": .bool(false), "code": .string("forbidden"), "message": .string(refusal.message),
        ])
        return Response(
            status: .forbidden,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: json.text)))
    }

    /// The reason to refuse a request that arrived at a port.
    static func refusal(of request: HTTPRequest, port: Int) -> LoopbackGuard.Refusal? {
        LoopbackGuard(port: port).refusal(
            method: request.method.rawValue, host: request.authority, headers: request.headerFields)
    }
}

/// Lists and pictures without the router, under the middlewares' rules.
struct ReadyRoutes: ReadyAnswering {
    let api: DocumentAPI
    /// Whether requests from other sites' pages are refused.
    let isLoopback: Bool
    private let securityHeaders = SecurityHeaders<ServiceContext>()
    private let crossOriginAnswers: CrossOriginAnswers<ServiceContext>

    init(api: DocumentAPI, isLoopback: Bool, origins: AllowedOrigins) {
        self.api = api
        self.isLoopback = isLoopback
        crossOriginAnswers = CrossOriginAnswers(origins)
    }

    func readyAnswer(to request: HTTPRequest, port: Int) -> ReadyAnswer.Way? {
        guard let way = api.readyAnswer(to: request),
            !isLoopback || LoopbackMiddleware.refusal(of: request, port: port) == nil
        else { return nil }
        switch way {
        case .known(let answer): return .known(completed(answer, request))
        case .found(let party, let find): return .found(party: party) { find().map { completed($0, request) } }
        }
    }

    private func completed(_ answer: ReadyAnswer, _ request: HTTPRequest) -> ReadyAnswer {
        var answer = answer
        crossOriginAnswers.complete(&answer.head.headerFields, for: request.headerFields)
        securityHeaders.complete(&answer.head.headerFields)
        return answer
    }
}
