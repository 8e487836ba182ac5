internal import Media

/// The settings that only `documentd` uses.
public struct ServiceSettings: Sendable {
    /// The folder of the database and the files, absolute or relative to the working folder.
    public let dataPath: String
    /// Where documents, accounts and jobs are kept.
    public let database: DatabasePlace
    /// The address at which the service listens.
    public let address: WorkerSettings.ListenAddress
    /// The longest pause between two bytes of a request's body; an answer waits twice as long for its reader.
    public let stallTime: Duration
    /// How people are identified.
    public let authentication: Authentication
    /// The file with the secret that signs tokens from elsewhere; `nil` for none.
    public let tokenSecretPath: String?
    /// A file or an address with the public keys that verify tokens from elsewhere; `nil` for none.
    public let tokenKeys: String?
    /// The required `iss` of tokens from elsewhere; `nil` for any.
    public let tokenIssuer: String?
    /// The required `aud` of tokens from elsewhere, or a member of it.
    public let tokenAudience: String
    /// Whether pictures are made in the service's own process.
    public let hasWorker: Bool
    /// The largest file that is accepted.
    public let maxUploadByteCount: UInt64
    /// The largest résumé that is accepted.
    public let maxResumeByteCount: UInt64
    /// The memory for all files that are being uploaded, in bytes.
    public let uploadMemory: Int
    /// The memory for all files that are read ahead of their clients, in bytes.
    public let readMemory: Int
    /// How long a request waits for a picture that is being made.
    public let pictureWait: Duration
    /// Whether anybody who knows a file's address may read it.
    public let hasPublicFiles: Bool
    /// Whether signed addresses of files redirect to the bucket.
    public let redirectsToStore: Bool
    /// Address blocks, separated by commas, of proxies that are trusted to name a request's client.
    public let trustedProxies: String
    /// Origins of other sites, separated by commas, whose pages may read the service's answers.
    public let allowedOrigins: String
    /// Addresses, separated by commas, to which people may return with tokens after signing in with a provider.
    public let redirectAddresses: String
    /// Where clamd listens: a path, or a host and port; `nil` for no scanner.
    public let scannerAddress: String?

    /// The number of days for which the audit log keeps its files.
    public let auditDays: Int
    /// The largest size of the audit log, in bytes.
    public let auditByteCount: Int64
    /// How long a search for jobs is kept, with its résumé and its token.
    public let searchTime: Duration
    /// The most bytes that one person's documents may use; `nil` for no limit.
    public let personByteCount: UInt64?
    /// The most bytes that all résumés without an owner may use together; `nil` for no limit.
    public let nobodyByteCount: UInt64?
    /// The most requests of one person, or else of one address, in a minute; `nil` for no limit.
    public let requestsPerMinute: Int?
    /// The most uploads of one person at the same time; `nil` for no limit.
    public let uploadsAtOnce: Int?
    /// The most job searches that one person, or else one address, may start in an hour; `nil` for no limit.
    public let searchesPerHour: Int?
    /// The most connections from one address at the same time; `nil` for no limit.
    public let connectionsPerAddress: Int?
    /// The longest time for which an address of a file or picture is signed, in seconds.
    public let signedAddressSeconds: Int64
    /// The address by which people reach the service, without a trailing slash; empty for none.
    public let publicAddress: String
    /// The server that accepts outgoing mail; `nil` for none.
    public let mailServer: String?
    /// The sender of mail: an address, or a name and an address in angle brackets.
    public let mailFrom: String
    /// The file with the password of the mail server's user; `nil` for none.
    public let mailPasswordPath: String?
    /// The file that lists the providers with which people may sign in; `nil` for none.
    public let openIDProvidersPath: String?

    /// The ways to identify people.
    public enum Authentication: String, Sendable, CaseIterable {
        /// One local person, on loopback only.
        case off
        /// People sign in; the service keeps their accounts.
        case local
        /// People have tokens that are issued elsewhere.
        case tokens
    }

    init(_ values: Settings.Values) throws(Failure) {
        dataPath = try values.path(.data, "a folder")
        database = try values.database(.database) ?? .file("\(dataPath)/documents.sqlite")
        guard let address = WorkerSettings.ListenAddress(parsing: values.text(.serve)) else {
            throw values.refusal(.serve, "an address such as 127.0.0.1:8080")
        }
        self.address = address
        guard let stallTime = Int(values.text(.stallTime)), (1...3600).contains(stallTime) else {
            throw values.refusal(.stallTime, "a number of seconds, from 1 to 3600")
        }
        self.stallTime = .seconds(stallTime)
        guard let authentication = Authentication(rawValue: values.text(.auth)) else {
            throw values.refusal(.auth, "off, local or tokens")
        }
        self.authentication = authentication
        func named(_ setting: Setting) -> String? { values.text(setting).isEmpty ? nil : values.text(setting) }
        (tokenSecretPath, tokenKeys, tokenIssuer) = (named(.tokenSecretFile), named(.tokenKeys), named(.tokenIssuer))
        tokenAudience = try values.path(.tokenAudience, "a word")
        hasWorker = try values.truth(.worker)
        maxUploadByteCount = try values.byteCount(.maxUpload)
        maxResumeByteCount = min(try values.byteCount(.maxResume), maxUploadByteCount)
        func memory(_ setting: Setting) throws(Failure) -> Int {
            let count = try values.byteCount(setting)
            guard (16 << 20...1 << 40).contains(count) else {
                throw values.refusal(setting, "bytes, from 16M to 1T")
            }
            return Int(count)
        }
        (uploadMemory, readMemory) = (try memory(.uploadMemory), try memory(.readMemory))
        hasPublicFiles = try values.truth(.publicFiles)
        redirectsToStore = try values.truth(.directDownloads)
        trustedProxies = values.text(.trustedProxies)
        allowedOrigins = values.text(.allowedOrigins)
        redirectAddresses = values.text(.redirectAddresses)
        guard let wait = Double(values.text(.pictureWait)), (0...60).contains(wait) else {
            throw values.refusal(.pictureWait, "seconds, from 0 to 60")
        }
        scannerAddress = values.text(.scanner) == "none" ? nil : try values.path(.scanner, "an address, or none")
        guard let auditDays = Int(values.text(.auditDays)), (1...36_500).contains(auditDays) else {
            throw values.refusal(.auditDays, "a number of days, from 1 to 36500")
        }
        self.auditDays = auditDays
        let auditByteCount = try values.byteCount(.auditSize)
        guard (16 << 20...1 << 50).contains(auditByteCount) else {
            throw values.refusal(.auditSize, "bytes, from 16M to 1024T")
        }
        self.auditByteCount = Int64(auditByteCount)
        guard let searchDays = Int(values.text(.searchDays)), (1...3650).contains(searchDays) else {
            throw values.refusal(.searchDays, "a number of days, from 1 to 3650")
        }
        searchTime = .seconds(searchDays * 86_400)
        personByteCount = values.text(.storagePerPerson) == "none" ? nil : try values.byteCount(.storagePerPerson)
        nobodyByteCount = values.text(.storageOfNobody) == "none" ? nil : try values.byteCount(.storageOfNobody)
        let requests = values.text(.requestsPerMinute)
        guard requests == "none" || (1...1_000_000).contains(Int(requests) ?? 0) else {
            throw values.refusal(.requestsPerMinute, "a number from 1 to 1000000, or none")
        }
        requestsPerMinute = Int(requests)
        let uploads = values.text(.uploadsAtOnce)
        guard uploads == "none" || (1...10_000).contains(Int(uploads) ?? 0) else {
            throw values.refusal(.uploadsAtOnce, "a number from 1 to 10000, or none")
        }
        uploadsAtOnce = Int(uploads)
        let searches = values.text(.searchesPerHour)
        guard searches == "none" || (1...1_000_000).contains(Int(searches) ?? 0) else {
            throw values.refusal(.searchesPerHour, "a number from 1 to 1000000, or none")
        }
        searchesPerHour = Int(searches)
        let connections = values.text(.connectionsPerAddress)
        guard connections == "none" || (1...100_000).contains(Int(connections) ?? 0) else {
            throw values.refusal(.connectionsPerAddress, "a number from 1 to 100000, or none")
        }
        connectionsPerAddress = Int(connections)
        // Seven days, because no address that redirects to a bucket lives longer.
        guard let signed = Int64(values.text(.signedAddressTime)), (60...604_800).contains(signed) else {
            throw values.refusal(.signedAddressTime, "seconds, from 60 to 604800")
        }
        signedAddressSeconds = signed
        let publicText = values.text(.publicAddress)
        publicAddress = publicText.hasSuffix("/") ? String(publicText.dropLast()) : publicText
        mailServer = values.text(.mailServer) == "none" ? nil : values.text(.mailServer)
        mailFrom = values.text(.mailFrom)
        mailPasswordPath =
            values.text(.mailPasswordFile).isEmpty ? nil : try values.path(.mailPasswordFile, "a file")
        openIDProvidersPath =
            values.text(.openIDProviders).isEmpty ? nil : try values.path(.openIDProviders, "a file")
        pictureWait = .milliseconds(Int64(wait * 1000))
    }
}
