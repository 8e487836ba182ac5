/// One setting: it comes from a flag, the environment, the configuration file or its default. This enumeration lists
/// all.
///
/// To add one: a case here with its `summary`, its flag in `Setting.flag`, its default in `StandardValues.text`, a
/// property and its line in `Settings.init` (or `WorkerSettings.init`), and its place in the lists of flags of the
/// programs that take it (`SettingsOptions`, `ThumbdOptions`).
public enum Setting: String, CaseIterable, Sendable {
    case cache
    case cacheOwner = "cache-owner"
    case cacheBudget = "cache-budget"
    case sharedBudget = "shared-budget"
    case queue
    case jobs
    case timeout
    case memory
    case memoryBudget = "memory-budget"
    case maxPixels = "max-pixels"
    case maxWholePixels = "max-whole-pixels"
    case maxFramePixels = "max-frame-pixels"
    case maxStreams = "max-streams"
    case maxPosterRead = "max-poster-read"
    case maxInput = "max-input"
    case maxSource = "max-source"
    case roots
    case store
    case s3Endpoint = "s3-endpoint"
    case remoteSources = "remote-sources"
    case allowPrivateAddresses = "allow-private-addresses"
    case listen
    case lease
    case drain
    case doneAge = "done-age"
    case doneCount = "done-count"
    case maxUnhashed = "max-unhashed"
    case controlGroup = "control-group"
    case requireSandbox = "require-sandbox"
    case warmSocket = "warm-socket"
    case data
    case serve
    case stallTime = "stall-time"
    case auth
    case tokenSecretFile = "token-secret-file"
    case tokenKeys = "token-keys"
    case tokenIssuer = "token-issuer"
    case tokenAudience = "token-audience"
    case worker
    case maxUpload = "max-upload"
    case maxResume = "max-resume"
    case uploadMemory = "upload-memory"
    case readMemory = "read-memory"
    case pictureWait = "picture-wait"
    case scanner
    case database
    case publicFiles = "public-files"
    case directDownloads = "direct-downloads"
    case trustedProxies = "trusted-proxies"
    case auditDays = "audit-days"
    case auditSize = "audit-size"
    case searchDays = "search-days"
    case storagePerPerson = "storage-per-person"
    case storageOfNobody = "storage-of-nobody"
    case requestsPerMinute = "requests-per-minute"
    case uploadsAtOnce = "uploads-at-once"
    case searchesPerHour = "searches-per-hour"
    case connectionsPerAddress = "connections-per-address"
    case signedAddressTime = "signed-address-time"
    case publicAddress = "public-address"
    case mailServer = "mail-server"
    case mailFrom = "mail-from"
    case mailPasswordFile = "mail-password-file"
    case openIDProviders = "openid-providers"
    case allowedOrigins = "allowed-origins"
    case redirectAddresses = "redirect-addresses"

    /// The environment variable: `COMPASS_` and the name in upper case, `_` for `-`.
    public var variable: String { "COMPASS_" + String(rawValue.uppercased().map { $0 == "-" ? "_" : $0 }) }

    /// The setting of an environment variable; `nil` for any other variable.
    ///
    /// A call has few variables and there are many settings: making the variable names of all settings would be slower.
    init?(variable: String) {
        guard variable.hasPrefix("COMPASS_") else { return nil }
        self.init(rawValue: String(variable.dropFirst(8).lowercased().map { $0 == "_" ? "-" : $0 }))
        guard self.variable == variable else { return nil }
    }

    /// The meaning in one line, as `compass config` prints it.
    public var summary: String {
        switch self {
        case .cache: "folder of the cache"
        case .cacheOwner: "number of another user to whom the cache's folder may belong; none: only this user or root"
        case .cacheBudget: "bytes that the cache may use; the least recently used renditions are evicted first"
        case .sharedBudget:
            "bytes that the pictures in the bucket may use; compass cache gc evicts the oldest first; none: it leaves the bucket alone"
        case .queue: "file of the job queue"
        case .jobs: "files processed at once"
        case .timeout: "seconds that one file may take"
        case .memory: "bytes of private memory that one file may use"
        case .memoryBudget: "bytes of private memory that all files in progress may use; half: of the machine's"
        case .maxPixels: "pixels of a picture that is decoded in strips (JPEG, plain PNG, TIFF)"
        case .maxWholePixels: "pixels of a picture that must be whole in memory (GIF, WebP, HEIC, AVIF, …)"
        case .maxFramePixels: "pixels of one video frame"
        case .maxStreams: "streams in a video's container"
        case .maxPosterRead: "bytes read from a video to find its picture"
        case .maxInput: "bytes taken from standard input"
        case .maxSource: "bytes of the largest source that thumbd opens"
        case .roots: "folders below which thumbd's sources must be, separated by colons; empty: none"
        case .store:
            "folder of the service's files, which jobs name as objects, or s3://BUCKET/PREFIX; empty: in documentd's data, for thumbd none"
        case .s3Endpoint:
            "address of the store that has the bucket, such as https://s3.example.org; empty: Amazon's in AWS_REGION"
        case .remoteSources:
            "yes: thumbd and documentd make pictures of sources that jobs name by https:// or s3:// addresses"
        case .allowPrivateAddresses: "yes: sources may be read from addresses of private networks and of this machine"
        case .listen: "address at which thumbd serves health and metrics; empty: none"
        case .lease: "seconds after which other workers take over a silent worker's jobs"
        case .drain: "seconds that thumbd gives its running jobs at shutdown"
        case .doneAge: "days that thumbd keeps done jobs in the queue"
        case .doneCount: "done jobs that thumbd keeps in the queue"
        case .controlGroup:
            "a control group with a memory limit for the renderers; auto: if one is delegated; yes: required"
        case .requireSandbox: "yes: open nothing if the machine lacks a layer of the sandbox"
        case .warmSocket: "socket of a running thumbd, whose renderers are warm; auto: the default paths; no: none"
        case .data: "folder of documentd's database and files"
        case .serve: "address at which documentd serves people"
        case .stallTime:
            "seconds that a client of documentd may stall in the middle of a request; twice as long before it reads the answer"
        case .auth:
            "off: documentd has one local person, on loopback only; local: people sign in to accounts; tokens: elsewhere"
        case .tokenSecretFile: "file with the secret by which tokens from elsewhere are signed (HS256); empty: none"
        case .tokenKeys:
            "file or address of the public keys by which tokens from elsewhere are signed (ES256, RS256); empty: none"
        case .tokenIssuer: "the iss of tokens from elsewhere; empty: anything, if only a secret is set"
        case .tokenAudience: "the aud of tokens from elsewhere, or one of them"
        case .worker: "yes: documentd makes pictures itself; no: thumbd does"
        case .maxUpload: "bytes of the largest file that documentd accepts"
        case .maxResume: "bytes of the largest résumé that documentd accepts; at most max-upload"
        case .uploadMemory:
            "bytes of memory for all uploads to a bucket together; other uploads wait"
        case .readMemory: "bytes of memory for all files that documentd reads ahead of their clients"
        case .pictureWait: "seconds that a request waits for a picture that is being made"
        case .scanner: "address of clamd, which scans each file before documentd serves it; none: no scanner"
        case .database:
            "documents and jobs: sqlite:FILE or postgres://USER@HOST/DATABASE; empty: documentd's documents.sqlite, thumbd's queue"
        case .publicFiles:
            "yes: anyone who knows a file's address may read it, over the app's wire; no: only its owner"
        case .directDownloads: "yes: signed addresses of files redirect to the bucket, which sends the bytes itself"
        case .trustedProxies:
            "addresses of proxies, separated by commas, trusted to name a request's client, scheme and host; empty: none"
        case .auditDays: "days for which documentd keeps its audit log"
        case .auditSize: "bytes of documentd's audit log, from 16M; the oldest days are deleted first"
        case .searchDays: "days after which a search for jobs is deleted, with its résumé"
        case .storagePerPerson: "bytes of one person's documents in documentd; none: no limit"
        case .storageOfNobody:
            "bytes of all résumés together that documentd keeps for people who have not signed in; none: no limit"
        case .requestsPerMinute:
            "requests that documentd accepts from one person, or else from one address, in a minute; none: no limit"
        case .uploadsAtOnce: "files that documentd accepts from one person at the same time; none: no limit"
        case .searchesPerHour:
            "job searches that one person, or else one address, may start in an hour; none: no limit"
        case .connectionsPerAddress:
            "connections that documentd accepts from one address, or IPv6 network, at the same time; none: no limit"
        case .signedAddressTime: "the maximum seconds for which the address of a file or picture is signed"
        case .publicAddress:
            "address by which people reach documentd, for links in mail and for sign-in providers; empty: none"
        case .mailServer: "server that sends documentd's mail, such as smtp://user@mail.example.org:587; none: no mail"
        case .mailFrom: "sender of documentd's mail: an address, or a name with an address in angle brackets"
        case .mailPasswordFile: "file with the password of the mail server's user; empty: none"
        case .openIDProviders: "file that lists the OpenID Connect providers with which people may sign in; empty: none"
        case .allowedOrigins:
            "origins of other sites, separated by commas, whose pages may use the service with a person's token; empty: none"
        case .redirectAddresses:
            "addresses, separated by commas, to which people may return with tokens after signing in with a provider; empty: none"
        case .maxUnhashed: "bytes up to which a file's digest is computed at once"
        }
    }
}
