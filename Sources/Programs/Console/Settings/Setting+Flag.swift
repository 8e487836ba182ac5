extension Setting {
    /// The flag that sets a setting, in the programs that take it.
    public struct Flag: Sendable {
        /// The flag's name without hyphens.
        public let name: String
        /// One sentence for `--help`.
        public let help: String
        /// The word for the flag's value in the help; `nil` if the flag has no value and sets `text`.
        public let value: String?
        /// What a flag without a value sets.
        public let text: String
    }

    /// The setting's flag; `nil` if no program has one.
    public var flag: Flag? {
        switch self {
        case .cache: flag("Folder of the cache.", value: "folder")
        case .cacheOwner: flag("Another user to whom the cache's folder may belong.", value: "number")
        case .cacheBudget: flag("Bytes that the cache may use.", value: "bytes")
        case .sharedBudget: flag("Bytes that the pictures in the bucket may use, or none.", value: "bytes")
        case .queue: flag("File of the queue.", value: "file")
        case .jobs: flag("Files processed at once (by default: one for each processor).", value: "count")
        case .timeout: flag("Seconds that one file may take.", value: "seconds")
        case .memory: flag("Private memory that one file may use.", value: "bytes")
        case .memoryBudget:
            flag("Private memory that all files in progress may use together, or half.", value: "bytes")
        case .maxPixels: flag("Largest picture that is decoded in strips.", value: "pixels")
        case .maxWholePixels: flag("Largest picture that must be whole in memory.", value: "pixels")
        case .maxFramePixels: flag("Largest video frame.", value: "pixels")
        case .maxStreams: flag("The maximum number of streams in a video's container.", value: "count")
        case .maxPosterRead: flag("The maximum number of bytes to read from a video for its picture.", value: "bytes")
        case .maxInput: flag("The maximum number of bytes to read from standard input.", value: "bytes")
        case .maxSource: flag("Largest source that is opened.", value: "bytes")
        case .roots: flag("Folder below which sources must be (repeatable).", name: "root", value: "folder")
        case .store: flag("Folder or bucket of the objects that jobs name.", value: "folder|s3://bucket/prefix")
        case .remoteSources: flag("Whether jobs may name sources by https:// or s3:// addresses.", value: "no|yes")
        case .allowPrivateAddresses:
            flag("Also read https:// sources from private networks and this machine.", value: nil)
        case .s3Endpoint: flag("The store that has the bucket: https://s3.example.org.", value: "url")
        case .listen: flag("Where to serve health and metrics; empty for nowhere.", value: "host:port")
        case .lease: flag("Seconds after which others take over a silent worker's jobs.", value: "seconds")
        case .drain: flag("Seconds that running jobs have to finish at shutdown.", value: "seconds")
        case .maxUnhashed: flag("Largest file whose digest is computed at once.", value: "bytes")
        case .controlGroup:
            flag(
                "Put the renderers into a control group with a memory limit, or fail (cgroup v2, delegated).",
                value: nil)
        case .requireSandbox: flag("Open nothing if the machine lacks a layer of the sandbox.", value: nil)
        case .warmSocket:
            flag("Do not ask a running thumbd, whose renderers are warm.", name: "alone", value: nil, text: "no")
        case .data: flag("Folder of database and files.", value: "folder")
        case .serve: flag("Address to serve at.", name: "listen", value: "host:port")
        case .stallTime: flag("Seconds that a client may stall in the middle of a request.", value: "seconds")
        case .auth:
            flag("How people sign in: off (one local person), local (accounts), or tokens (elsewhere).", value: "way")
        case .tokenSecretFile: flag("Secret of tokens that are issued elsewhere (HS256).", value: "file")
        case .tokenKeys: flag("Public keys of tokens that are issued elsewhere (a JWK set).", value: "file|address")
        case .tokenIssuer: flag("The iss of tokens that are issued elsewhere.", value: "text")
        case .tokenAudience: flag("The aud of tokens that are issued elsewhere.", value: "text")
        case .worker: flag("Whether documentd makes pictures: yes or no (thumbd does).", value: "yes|no")
        case .maxUpload: flag("Largest file that is accepted.", value: "bytes")
        case .maxResume: flag("Largest résumé that is accepted.", value: "bytes")
        case .uploadMemory: flag("Memory for all uploads to a bucket together.", value: "bytes")
        case .readMemory: flag("Memory for all files that are read ahead of their clients.", value: "bytes")
        case .pictureWait: flag("Seconds that a request waits for a picture that is being made.", value: "seconds")
        case .scanner: flag("Where clamd listens: its socket, or host and port.", value: "address")
        case .database: flag("The database, if it is not in the data folder.", value: "sqlite:file")
        case .directDownloads:
            flag("Whether signed addresses of files redirect to the bucket.", value: "no|yes")
        case .publicFiles: flag("Whether anyone who knows a file's address may read it.", value: "no|yes")
        case .trustedProxies:
            flag("Proxies trusted to name a request's client: 127.0.0.1, 10.0.0.0/8.", value: "addresses")
        case .auditDays: flag("Days for which the audit log is kept.", value: "count")
        case .auditSize: flag("Bytes of the audit log; the oldest days are deleted first.", value: "bytes")
        case .searchDays: flag("Days after which a search for jobs is deleted, with its résumé.", value: "count")
        case .storagePerPerson: flag("Bytes of one person's documents, or none.", value: "bytes")
        case .storageOfNobody:
            flag("Bytes of all résumés of people who have not signed in, or none.", value: "bytes")
        case .requestsPerMinute: flag("Requests of one person in a minute, or none.", value: "count")
        case .uploadsAtOnce: flag("Uploads of one person at the same time, or none.", value: "count")
        case .searchesPerHour:
            flag("Job searches of one person in an hour (ten times as many of a network), or none.", value: "count")
        case .connectionsPerAddress:
            flag("Connections from one address, except --trusted-proxies, or none.", value: "count")
        case .signedAddressTime:
            flag("The maximum seconds for which a file's address is signed, up to 604800.", value: "seconds")
        case .publicAddress:
            flag("Address by which people reach the service, for links in mails and for providers.", value: "url")
        case .mailServer: flag("Server that sends mail: smtp://user@mail.example.org:587.", value: "url")
        case .mailFrom: flag("The sender of mail: Compass <noreply@example.org>.", value: "sender")
        case .mailPasswordFile: flag("File with the password of the mail server's user.", value: "file")
        case .openIDProviders: flag("List of OpenID Connect providers with which people may sign in.", value: "file")
        case .allowedOrigins:
            flag("Other sites whose pages may use the service: https://app.example.org.", value: "origins")
        case .redirectAddresses:
            flag("Where people may return after signing in with a provider: app://callback.", value: "addresses")
        case .doneAge, .doneCount: nil
        }
    }

    private func flag(_ help: String, name: String? = nil, value: String?, text: String = "yes") -> Flag {
        Flag(name: name ?? rawValue, help: help, value: value, text: text)
    }
}
