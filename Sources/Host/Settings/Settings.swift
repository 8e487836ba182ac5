public import Media

/// What the programs go by: each value from a flag, else the environment, else the file, else its default.
public struct Settings: Sendable {
    /// Where a value came from.
    public enum Origin: Sendable, Hashable {
        case flag
        case environment
        case file(String)
        case standard
    }

    /// A value as text, with its origin.
    public struct Entry: Sendable {
        public let setting: Setting
        public let text: String
        public let origin: Origin
    }

    public let entries: [Entry]
    public let cachePath: String
    /// A user whose cache folder is believed, beside this one's and root's.
    public let cacheOwner: UInt32?
    public let cacheBudget: UInt64
    public let queuePath: String
    public let jobCount: Int
    public let limits: Limits
    /// What all children together may take; `nil`: half of the machine's memory.
    public let memoryBudget: UInt64?
    public let maxInputByteCount: UInt64
    public let maxUnhashedByteCount: UInt64
    public let worker: WorkerSettings
    public let requiresSandbox: Bool
    public let controlGroup: Preference
    public let warmSocket: SocketPlace

    /// Resolves every setting.
    ///
    /// - Parameters:
    ///   - flags: values given on the command line.
    ///   - environment: the process's environment.
    ///   - file: the configuration file, if there is one.
    ///   - standard: the machine's own defaults: where the cache lies, how many processors there are.
    /// - Throws: `usage` naming the setting, its origin and what it takes.
    public init(
        flags: [Setting: String], environment: [String: String], file: SettingsFile?, standard: StandardValues
    ) throws(Failure) {
        entries = Setting.allCases.map { setting in
            if let text = flags[setting] {
                Entry(setting: setting, text: text, origin: .flag)
            } else if let text = environment[setting.variable] {
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
        queuePath = try values.path(.queue, "a file")
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
        worker = try WorkerSettings(values)
        requiresSandbox = try values.truth(.requireSandbox)
        controlGroup = try values.preference(.controlGroup)
        warmSocket = try values.socket(.warmSocket)
    }

    /// Texts as values, with errors that name the setting and where its text stands.
    struct Values {
        let entries: [Entry]

        func entry(_ setting: Setting) -> Entry { entries.first { $0.setting == setting }! }

        func text(_ setting: Setting) -> String { entry(setting).text }

        func refusal(_ setting: Setting, _ wanted: String) -> Failure {
            let entry = entry(setting)
            let place =
                switch entry.origin {
                case .flag: "--\(setting.rawValue)"
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

        func count(_ setting: Setting, in range: ClosedRange<UInt64> = 1...(1 << 48)) throws(Failure) -> UInt64 {
            guard let value = UInt64(text(setting)), range.contains(value) else {
                throw refusal(setting, "a whole number of \(range.lowerBound) to \(range.upperBound)")
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
    public let value: UInt64

    public init(_ value: UInt64) { self.value = value }

    /// `nil` for anything else, for zero, and beyond 2⁵⁰.
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
    /// With one decimal in the largest unit that gives at least 1: `1.5 MB` (powers of 1,000, as disks are sold).
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
