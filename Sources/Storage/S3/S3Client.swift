internal import HTTPSyntax
internal import Hashing
internal import Linux
internal import Media
internal import Synchronization

/// One bucket of a store that speaks S3. Its calls block; it is safe for several threads.
///
/// A request whose answer is lost is retried, so every request is idempotent.
public final class S3Client: Sendable {
    /// The location of the bucket.
    public let endpoint: S3Endpoint
    private let signer: RequestSigner
    private let patience: S3Patience
    private let authorities: String?
    private let pool = TransferPool()
    private let budget = RetryBudget()
    private let rest: StoreRest
    /// Seconds since 1970, by this machine's clock.
    private let now: @Sendable () -> Int64
    /// How far the store's clock is ahead of this machine's; 0 until the store has refused a request because of its
    /// time.
    private let lead = Atomic<Int64>(0)
    private let ahead = Atomic<Int64>(0)

    /// A client of a bucket; it sends nothing yet.
    ///
    /// - Parameter authorities: the file of trusted certificate authorities; `nil` for the system's.
    public convenience init(
        _ endpoint: S3Endpoint, _ credentials: S3Credentials, patience: S3Patience = S3Patience(),
        authorities: String? = nil
    ) {
        self.init(endpoint, credentials, patience: patience, authorities: authorities) { Time.wall / 1_000_000_000 }
    }

    /// The same with a test's clock.
    package init(
        _ endpoint: S3Endpoint, _ credentials: S3Credentials, patience: S3Patience, authorities: String?,
        now: @escaping @Sendable () -> Int64
    ) {
        self.endpoint = endpoint
        self.patience = patience
        self.authorities = authorities
        self.now = now
        rest = StoreRest(patience.resting)
        signer = RequestSigner(credentials, region: endpoint.region)
    }

    /// How many seconds this machine's clock was ahead of the store's at the store's last answer; negative if behind.
    /// It is 0 before the first answer, or if the store does not send its time.
    public var clockDifference: Int64 { ahead.load(ordering: .relaxed) }

    /// An address at which anybody can read an object for a limited time.
    ///
    /// - Parameters:
    ///   - seconds: at most a week.
    ///   - answering: header fields of the answer, such as `content-type`, by their lower-case names.
    public func presignedAddress(of key: String, seconds: Int, answering fields: [String: String] = [:]) -> String {
        let path = endpoint.path(of: key)
        let asked = fields.sorted { $0.key < $1.key }.map { (name: "response-\($0.key)", value: $0.value) }
        let subject = RequestSigner.Subject(method: "GET", host: endpoint.host, path: path, query: asked, headers: [])
        let query = signer.presignedQuery(for: subject, seconds: seconds, at: SigningTime(seconds: storesTime))
        return "\(endpoint.address)\(path)?\(query)"
    }

    /// Seconds since 1970 by the store's clock, as far as known.
    private var storesTime: Int64 { now() + lead.load(ordering: .relaxed) }

    /// Sends a request until it succeeds, the patience is exhausted, or a retry would be futile.
    ///
    /// Sends nothing during the rest period of a store that did not answer. If the store refuses this machine's time,
    /// retries once with the store's time.
    func send(_ request: S3Request) throws(S3Fault) -> S3Answer {
        let began = Time.monotonic
        let end = began + min(request.patience ?? patience.whole, patience.whole)
        try passRest()
        var tries = 0
        var hasStoresTime = false
        while true {
            let tryBegan = Time.monotonic
            do throws(S3Fault) {
                let answer = try attempt(request, patience, until: end)
                budget.refill()
                return answer
            } catch {
                if case .skewedClock(let difference?) = error, !hasStoresTime {
                    lead.store(-difference, ordering: .relaxed)
                    hasStoresTime = true
                    continue
                }
                // Two stalls are enough, because somebody waits.
                let isStalled = Time.monotonic - tryBegan >= patience.stalling
                tries += isStalled ? max(1, patience.mostTries / 2) : 1
                let pause = pause(after: tries, error)
                guard error.isPassing, tries < patience.mostTries, Time.monotonic + pause < end, budget.spend()
                else {
                    // A time-out of an impatient caller says nothing about the store.
                    if case .away = error, request.patience == nil { rest.noteSilence(since: began) }
                    throw error
                }
                Time.sleep(pause)
            }
        }
    }

    /// Fails immediately during the store's rest period. After that, one caller checks for all whether the store
    /// answers.
    private func passRest() throws(S3Fault) {
        switch rest.turn() {
        case .go: return
        case .rest: break
        case .probe:
            let began = Time.monotonic
            var patience = patience
            patience.stalling = min(patience.stalling, Self.probeTime)
            do throws(S3Fault) {
                _ = try attempt(
                    S3Request("HEAD", nil), patience, until: began + patience.stalling + patience.connecting)
                return
            } catch {
                guard case .away = error else { return rest.noteAnswer() }
                rest.noteSilence(since: began)
            }
        }
        throw .away("it did not answer a moment ago")
    }

    /// Time limit for a request that takes the store no work.
    private static let probeTime: Duration = .seconds(5)

    /// Full jitter: a random time up to a bound that doubles ("Exponential Backoff And Jitter", AWS Architecture Blog),
    /// and at least the time that the store requests.
    private func pause(after tries: Int, _ fault: S3Fault) -> Duration {
        let bound = min(patience.firstPause * (1 << min(tries - 1, 16)), patience.longestPause)
        let pause = bound * Double.random(in: 0...1)
        guard case .busy(_, let seconds?) = fault else { return pause }
        return min(max(pause, .seconds(seconds)), patience.longestPause)
    }

    private func attempt(
        _ request: S3Request, _ patience: S3Patience, until end: Duration
    ) throws(S3Fault) -> S3Answer {
        let path = endpoint.path(of: request.key)
        let query = RequestSigner.query(request.query)
        var request = request
        if let body = request.body { request.headers.append(body.field) }
        let subject = RequestSigner.Subject(
            method: request.method, host: endpoint.host, path: path, query: request.query, headers: request.headers)
        let signed = storesTime
        let headers = signer.headers(
            for: subject, digest: request.body?.digest ?? Self.emptyDigest, at: SigningTime(seconds: signed))
        let exchange = Transfer.Exchange(
            method: request.method, address: endpoint.address + path + (query.isEmpty ? "" : "?\(query)"),
            fields: ["Host: \(endpoint.host)"] + headers.map(Self.line) + Self.unsent, body: request.body?.bytes,
            limit: request.limit)
        var patience = patience
        patience.whole = end - Time.monotonic
        if request.mayTakeLong { patience.stalling = patience.whole }
        let answer = try pool.with { transfer throws(S3Fault) in
            try transfer.perform(exchange, isSecure: endpoint.isSecure, patience, authorities: authorities)
        }
        rest.noteAnswer()
        if let difference = difference(to: answer) { ahead.store(difference, ordering: .relaxed) }
        guard answer.isGood else { throw fault(of: answer, XMLReader.read(answer.body), signed: signed) }
        return try checked(answer, request, signed: signed)
    }

    /// An answer with status 200 may still be an error: a store that works for minutes starts its answer before it
    /// knows the result. Any XML answer is parsed as such. The bytes of an object are not, whatever they look like.
    ///
    /// - Throws: the fault in the answer; `truncated` for an incomplete answer.
    private func checked(_ answer: S3Answer, _ request: S3Request, signed: Int64) throws(S3Fault) -> S3Answer {
        if request.method == "GET" || request.method == "HEAD", request.root == nil { return answer }
        let root = answer.body.isEmpty ? nil : XMLReader.read(answer.body)
        if let root, root.name == "Error" { throw fault(of: answer, root, signed: signed) }
        guard let expected = request.root else { return answer }
        guard let root else { throw .truncated("\(answer.body.count) bytes that are not \(expected)") }
        guard root.name == expected else {
            throw .refused("\(Failure.bounded(root.name, to: 64)) instead of \(expected)")
        }
        var answer = answer
        answer.root = root
        return answer
    }

    /// A field in libcurl's form. Without it, libcurl omits a field that has no value.
    private static func line(_ field: (name: String, value: String)) -> String {
        field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
    }

    private static let emptyDigest = SHA256.digest(of: [UInt8]())
    /// Fields that libcurl adds automatically.
    private static let unsent = ["Expect:", "Content-Type:", "Accept:", "User-Agent: compass-media"]

    /// The meaning of an answer that is not a success.
    ///
    /// - Parameters:
    ///   - root: the answer's root element; `nil` for an answer that is not XML.
    ///   - signed: the signed time of the request.
    private func fault(of answer: S3Answer, _ root: XMLNode?, signed: Int64) -> S3Fault {
        let error = root.flatMap { $0.name == "Error" ? $0 : nil }
        let code = error?.text("Code") ?? ""
        let words = [code, error?.text("Message") ?? ""].filter { !$0.isEmpty }
        let detail = Failure.bounded((["HTTP \(answer.status)"] + words).joined(separator: ", "))
        let retryAfter = answer.headers["retry-after"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        let region = error?.text("Region") ?? answer.headers["x-amz-bucket-region"]
        switch code {
        case "InvalidAccessKeyId", "InvalidToken", "ExpiredToken": return .unknownKey
        case "SignatureDoesNotMatch": return .wrongSecret
        case "NoSuchBucket": return .noBucket(endpoint.bucket)
        case "NoSuchKey": return .missing
        case "NoSuchUpload": return .missingUpload
        case "RequestTimeTooSkewed", "RequestInTheFuture": return .skewedClock(seconds: difference(to: answer))
        case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed",
            "IllegalLocationConstraintException":
            return .wrongRegion(expected: region)
        case "QuotaExceeded", "InsufficientStorage", "InsufficientCapacity", "XMinioStorageFull": return .full(detail)
        // The list of parts may have been damaged in transit.
        case "BadDigest", "XAmzContentSHA256Mismatch", "InvalidPart", "MalformedXML": return .corrupted(detail)
        case "IncompleteBody": return .truncated(detail)
        case "PreconditionFailed": return .changed
        case "InvalidRange": return .noRange
        case "SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable", "Throttling", "TooManyRequests":
            return .busy(detail, retryAfter: retryAfter)
        default: break
        }
        switch answer.status {
        case 300..<400: return .wrongRegion(expected: region)
        case 403:
            // An answer to HEAD has no error code. A large difference of the clocks is then the likeliest reason.
            if code.isEmpty, let seconds = difference(to: answer), abs(signed - now() + seconds) > 900 {
                return .skewedClock(seconds: seconds)
            }
            return .denied(detail)
        case 404: return .missing
        case 412: return .changed
        case 416: return .noRange
        case 429, 500, 502, 503, 504: return .busy(detail, retryAfter: retryAfter)
        case 507: return .full(detail)
        default: return .refused(detail)
        }
    }

    private func difference(to answer: S3Answer) -> Int64? {
        answer.headers["date"].flatMap { HTTPDate($0) }.map { now() - $0.seconds }
    }
}
