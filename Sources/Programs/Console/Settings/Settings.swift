public import Media

/// All settings of one call, resolved: each value from a flag, else the environment, else the file, else its default.
public struct Settings: Sendable {
    /// The source of a value.
    public enum Origin: Sendable, Hashable {
        case flag
        case environment
        /// The configuration file with its path.
        case file(String)
        /// The default.
        case standard
    }

    /// A value as text, with its origin.
    public struct Entry: Sendable {
        /// The setting that has the value.
        public let setting: Setting
        /// The value as it was given, not yet parsed.
        public let text: String
        /// The source that won.
        public let origin: Origin

        /// The value for people, without the password of a database's address.
        public var shown: String { setting == .database ? DatabasePlace.withoutPassword(text) : text }
    }

    /// Every setting's value as text, in the order of `Setting.allCases`.
    public let entries: [Entry]
    /// The cache's folder, absolute or relative to the working folder.
    public let cachePath: String
    /// Another user whose cache folder is trusted; this process's user and root always are.
    public let cacheOwner: UInt32?
    /// The cache's size in bytes beyond which renditions are evicted.
    public let cacheBudget: UInt64
    /// The most bytes that the pictures that machines share may use in the bucket; `nil` for no limit.
    public let sharedBudget: UInt64?
    /// The queue's file, absolute or relative to the working folder. If `database` is a server, the queue is there; what
    /// processes of this machine tell each other is next to this path.
    public let queuePath: String
    /// The location of documents and jobs; `nil` if only the queue's file is set.
    public let database: DatabasePlace?
    /// How many files are processed at once.
    public let jobCount: Int
    /// The limits of time, memory and pixels for one file.
    public let limits: Limits
    /// Bytes of private memory for all children together; `nil` for half of the machine's memory.
    public let memoryBudget: UInt64?
    /// How much of standard input is read before the call fails.
    public let maxInputByteCount: UInt64
    /// The size up to which a file is hashed before it is rendered; larger files are identified by their stat.
    public let maxUnhashedByteCount: UInt64
    /// The location of the object store; `nil` if it is not set.
    public let store: StoreAddress?
    /// The address of the store that has the bucket; `nil` for Amazon's.
    public let storeEndpoint: String?
    /// Whether jobs may name sources on other machines.
    public let readsRemoteSources: Bool
    /// Whether such a source may be in a private network.
    public let allowsPrivateAddresses: Bool
    /// The settings that only `thumbd` uses.
    public let worker: WorkerSettings
    /// The settings that only `documentd` uses.
    public let service: ServiceSettings
    /// Whether files are refused if the machine lacks a layer of the sandbox.
    public let requiresSandbox: Bool
    /// Whether the renderers run in their own control group.
    public let controlGroup: Preference
    /// Where a running `thumbd` listens, and where others look for it.
    public let warmSocket: SocketPlace

    /// Resolves every setting.
    ///
    /// - Parameters:
    ///   - flags: the values given on the command line.
    ///   - environment: the process's environment.
    /// - file: the configuration file; `nil` if there is none.
    ///   - standard: the defaults, some of which depend on the machine.
    /// - Throws: `usage` naming the setting, its origin and the values that it takes.
    public init(
        flags: [Setting: String], environment: [String: String], file: SettingsFile?, standard: StandardValues
    ) throws(Failure) {
        var variables: [Setting: String] = [:]
        for (name, text) in environment {
            if let setting = Setting(variable: name) { variables[setting] = text }
        }
        entries = Setting.allCases.map { setting in
            if let text = flags[setting] {
                Entry(setting: setting, text: text, origin: .flag)
            } else if let text = variables[setting] {
                Entry(setting: setting, text: text, origin: .environment)
            } else if let file, let text = file.values[setting] {
                Entry(setting: setting, text: text, origin: .file(file.path))
            } else {
                Entry(setting: setting, text: standard.text(of: setting), origin: .standard)
            }
        }
        let values = Values(entries: entries)
        cachePath = try values.path(.cache, "a folder")
        cacheOwner = try values.user(.cacheOwner)
        cacheBudget = try values.byteCount(.cacheBudget)
        sharedBudget = values.text(.sharedBudget) == "none" ? nil : try values.byteCount(.sharedBudget)
        // A queue named in the call takes precedence over a database named in its environment.
        database = values.isFlag(.queue) && !values.isFlag(.database) ? nil : try values.database(.database)
        queuePath = if case .file(let path)? = database { path } else { try values.path(.queue, "a file") }
        jobCount = Int(try values.count(.jobs, in: 1...256))
        var limits = Limits()
        limits.wallTime = try values.duration(.timeout)
        limits.memoryByteCount = try values.byteCount(.memory)
        limits.streamedPixelCount = try values.count(.maxPixels)
        limits.wholePixelCount = try values.count(.maxWholePixels)
        limits.framePixelCount = try values.count(.maxFramePixels)
        limits.streamCount = UInt32(try values.count(.maxStreams, in: 1...10_000))
        limits.posterReadByteCount = try values.byteCount(.maxPosterRead)
        self.limits = limits
        memoryBudget = values.isHalf(.memoryBudget) ? nil : try values.byteCount(.memoryBudget)
        maxInputByteCount = try values.byteCount(.maxInput)
        maxUnhashedByteCount = try values.byteCount(.maxUnhashed)
        store = try values.store(.store)
        storeEndpoint = try values.endpoint(.s3Endpoint)
        readsRemoteSources = try values.truth(.remoteSources)
        allowsPrivateAddresses = try values.truth(.allowPrivateAddresses)
        worker = try WorkerSettings(values)
        service = try ServiceSettings(values)
        requiresSandbox = try values.truth(.requireSandbox)
        controlGroup = try values.preference(.controlGroup)
        warmSocket = try values.socket(.warmSocket)
    }

    /// Parses the texts of entries; an error names the setting and the text's origin.
    struct Values {
        let entries: [Entry]

        func entry(_ setting: Setting) -> Entry { entries.first { $0.setting == setting }! }

        func text(_ setting: Setting) -> String { entry(setting).text }

        func refusal(_ setting: Setting, _ wanted: String) -> Failure {
            let entry = entry(setting)
            let place =
                switch entry.origin {
                case .flag: "--\(setting.flag?.name ?? setting.rawValue)"
                case .environment: setting.variable
                case .file(let path): "\(setting.rawValue) in \(path)"
                case .standard: "the default of \(setting.rawValue)"
                }
            return Failure(.usage, message: "\(place) takes \(wanted), not “\(entry.text)”.")
        }

        func path(_ setting: Setting, _ wanted: String) throws(Failure) -> String {
            guard !text(setting).isEmpty else { throw refusal(setting, wanted) }
            return text(setting)
        }

        func socket(_ setting: Setting) throws(Failure) -> SocketPlace {
            switch text(setting) {
            case "auto": return .automatic
            case "no": return .nowhere
            case let path where path.hasPrefix("/"): return .path(path)
            default: throw refusal(setting, "auto, no or an absolute path")
            }
        }

        func store(_ setting: Setting) throws(Failure) -> StoreAddress? {
            let text = text(setting)
            if text.isEmpty { return nil }
            guard let place = StoreAddress(text) else { throw refusal(setting, "a folder, or s3://BUCKET/PREFIX") }
            return place
        }

        func endpoint(_ setting: Setting) throws(Failure) -> String? {
            let text = text(setting)
            if text.isEmpty { return nil }
            guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
                throw refusal(setting, "an address such as https://s3.example.org")
            }
            return text
        }

        func isFlag(_ setting: Setting) -> Bool {
            entries.contains { $0.setting == setting && $0.origin == .flag }
        }

        func database(_ setting: Setting) throws(Failure) -> DatabasePlace? {
            let text = text(setting)
            if text.isEmpty { return nil }
            guard let place = DatabasePlace(parsing: text) else {
                throw refusal(setting, "sqlite:FILE or postgres://USER@HOST/DATABASE")
            }
            return place
        }

        func count(_ setting: Setting, in range: ClosedRange<UInt64> = 1...(1 << 48)) throws(Failure) -> UInt64 {
            guard let value = UInt64(text(setting)), range.contains(value) else {
                throw refusal(setting, "a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }

        func byteCount(_ setting: Setting) throws(Failure) -> UInt64 {
            guard let value = ByteCount(parsing: text(setting)) else {
                throw refusal(setting, "a number of bytes such as 500M, 2G or 1048576")
            }
            return value.value
        }

        func user(_ setting: Setting) throws(Failure) -> UInt32? {
            if text(setting) == "none" { return nil }
            guard let number = UInt32(text(setting)) else {
                throw refusal(setting, "a user's number (id -u NAME), or none")
            }
            return number
        }

        func isHalf(_ setting: Setting) -> Bool { text(setting) == "half" }

        func truth(_ setting: Setting) throws(Failure) -> Bool {
            switch text(setting) {
            case "yes", "true", "1": return true
            case "no", "false", "0": return false
            default: throw refusal(setting, "yes or no")
            }
        }

        func preference(_ setting: Setting) throws(Failure) -> Preference {
            if text(setting) == "auto" { return .auto }
            guard let isWanted = try? truth(setting) else { throw refusal(setting, "yes, no or auto") }
            return isWanted ? .yes : .no
        }

        func duration(_ setting: Setting) throws(Failure) -> Duration {
            guard let seconds = Double(text(setting)), seconds >= 0.001, seconds <= 86_400 else {
                throw refusal(setting, "seconds, from 0.001 to 86400")
            }
            return .milliseconds(Int64((seconds * 1000).rounded()))
        }
    }
}

/// A number of bytes as people write it: `1048576`, `500k`, `512M`, `2G`, `1T` (powers of 1,024).
public struct ByteCount: Hashable, Sendable {
    /// The number itself.
    public let value: UInt64

    /// A number of bytes to print.
    public init(_ value: UInt64) { self.value = value }

    /// Parses a number with or without a unit; `nil` for any other text, for zero, and beyond 2⁵⁰.
    public init?(parsing text: String) {
        let shift: UInt64? =
            switch text.last {
            case "k", "K": 10
            case "m", "M": 20
            case "g", "G": 30
            case "t", "T": 40
            default: nil
            }
        guard let number = UInt64(shift == nil ? text : String(text.dropLast())), number > 0, number < 1 << 50 else {
            return nil
        }
        value = number << (shift ?? 0)
        guard value >> (shift ?? 0) == number, value <= 1 << 50 else { return nil }
    }
}

extension ByteCount: CustomStringConvertible {
    /// The number with one decimal in the largest unit that gives at least 1: `1.5 MB` (powers of 1,000, as for disks).
    public var description: String {
        var scaled = Double(value)
        var unit = "B"
        for next in ["kB", "MB", "GB", "TB"] where scaled >= 1000 {
            scaled /= 1000
            unit = next
        }
        if unit == "B" { return "\(value) B" }
        let tenths = Int((scaled * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
