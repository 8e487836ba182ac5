internal import Media

/// The settings' defaults; some depend on the machine and its user.
public struct StandardValues: Sendable {
    /// The folder of the cache if no setting names one.
    public var cachePath: String
    /// The file of the queue if no setting names one.
    public var queuePath: String
    /// The folder of the document service's data if no setting names one.
    public var dataPath: String
    /// The number of the machine's processors, and the default for the number of files processed at once.
    public var processorCount: Int

    /// The defaults of a machine and its user.
    public init(cachePath: String, queuePath: String, dataPath: String, processorCount: Int) {
        self.cachePath = cachePath
        self.queuePath = queuePath
        self.dataPath = dataPath
        self.processorCount = processorCount
    }

    func text(of setting: Setting) -> String {
        let limits = Limits()
        return switch setting {
        case .cache: cachePath
        case .cacheOwner: "none"
        case .cacheBudget: "10G"
        case .queue: queuePath
        case .jobs: "\(processorCount)"
        case .timeout: "\(limits.wallTime.components.seconds)"
        case .memory: "\(limits.memoryByteCount)"
        case .memoryBudget: "half"
        case .maxPixels: "\(limits.streamedPixelCount)"
        case .maxWholePixels: "\(limits.wholePixelCount)"
        case .maxFramePixels: "\(limits.framePixelCount)"
        case .maxStreams: "\(limits.streamCount)"
        case .maxPosterRead: "\(limits.posterReadByteCount)"
        case .maxInput: "1G"
        case .maxSource: "16G"
        case .roots, .store, .s3Endpoint, .database, .trustedProxies, .tokenSecretFile, .tokenKeys, .tokenIssuer,
            .publicAddress,
            .mailFrom, .mailPasswordFile, .openIDProviders, .allowedOrigins,
            .redirectAddresses:
            ""
        case .listen: "127.0.0.1:9321"
        case .lease: "30"
        case .drain: "25"
        case .doneAge: "30"
        case .doneCount: "1000000"
        case .maxUnhashed: "16M"
        case .data: dataPath
        case .serve: "127.0.0.1:8080"
        case .stallTime: "30"
        case .auth: "off"
        case .tokenAudience: "authenticated"
        case .worker: "yes"
        case .maxUpload: "100000000"
        case .maxResume: "10000000"
        case .uploadMemory: "192M"
        case .readMemory: "128M"
        case .pictureWait: "2"
        case .scanner, .mailServer, .storagePerPerson, .sharedBudget: "none"
        case .storageOfNobody: "2G"
        case .requestsPerMinute: "3000"
        case .uploadsAtOnce: "10"
        case .searchesPerHour: "120"
        case .connectionsPerAddress: "512"
        case .signedAddressTime: "604800"
        case .auditDays: "180"
        case .auditSize: "10G"
        case .searchDays: "90"
        case .requireSandbox, .publicFiles, .directDownloads, .remoteSources, .allowPrivateAddresses: "no"
        case .controlGroup, .warmSocket: "auto"
        }
    }
}
