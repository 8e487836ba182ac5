public import Media

/// What a host with warm renderers answers: first whether it takes the work, then what came of it.
public enum WarmAnswer: Hashable, Sendable {
    /// It has begun.
    case accepted
    /// It does not do it; why, for the log.
    case refused(String)
    case made(WarmResult)
    /// What concerns the whole source.
    case failed(Failure)
}

/// Renditions that another host has made. Their bytes lie in the cache; this is what else is known of them.
public struct WarmResult: Hashable, Sendable {
    /// Absent where the source is known by its stat key.
    public var digest: Digest?
    public var facts: Facts?
    /// The ThumbHash in base64.
    public var placeholder: String?
    /// For each recipe why there is no rendition; `nil` where there is one.
    public var failures: [Failure?]
    /// Whether no media had to be opened.
    public var isCached: Bool
    public var peakByteCount: UInt64?
    public var steps: [Step]
    /// From the request's arrival to its answer, in nanoseconds: steps may overlap.
    public var duration: UInt64
    /// What the renderers that served lack of their confinement.
    public var missingLayers: [String]

    /// One step's time.
    public struct Step: Hashable, Sendable {
        public var name: String
        /// In nanoseconds.
        public var duration: UInt64

        public init(name: String, duration: UInt64) {
            self.name = name
            self.duration = duration
        }
    }

    public init(
        digest: Digest?, facts: Facts?, placeholder: String?, failures: [Failure?], isCached: Bool,
        peakByteCount: UInt64?, steps: [Step], duration: UInt64, missingLayers: [String]
    ) {
        self.digest = digest
        self.facts = facts
        self.placeholder = placeholder
        self.failures = failures
        self.isCached = isCached
        self.peakByteCount = peakByteCount
        self.steps = steps
        self.duration = duration
        self.missingLayers = missingLayers
    }
}

extension WarmAnswer: WireMessage {
    public var bytes: [UInt8] {
        var writer = WireWriter.versioned()
        switch self {
        case .accepted: writer.write(UInt8(0))
        case .refused(let reason):
            writer.write(UInt8(1))
            writer.write(reason)
        case .made(let result):
            writer.write(UInt8(2))
            writer.write(result)
        case .failed(let failure):
            writer.write(UInt8(3))
            writer.write(failure)
        }
        return writer.bytes
    }

    public init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = try WireReader(versioned: bytes)
        switch try reader.integer(UInt8.self) {
        case 0: self = .accepted
        case 1: self = .refused(Failure.bounded(try reader.text()))
        case 2: self = .made(try reader.result())
        case 3: self = .failed(try reader.anyFailure())
        default: throw reader.failure("answer")
        }
        try reader.finish()
    }
}

extension WireWriter {
    fileprivate mutating func write(_ result: WarmResult) {
        write(result.digest) { writer, digest in writer.write(digest.hex) }
        write(result.facts) { writer, facts in writer.write(facts) }
        write(result.placeholder) { writer, text in writer.write(text) }
        write(result.failures) { writer, failure in writer.write(failure) { $0.write($1) } }
        write(result.isCached)
        write(result.peakByteCount) { writer, count in writer.write(count) }
        write(result.steps) { writer, step in
            writer.write(step.name)
            writer.write(step.duration)
        }
        write(result.duration)
        write(result.missingLayers) { writer, text in writer.write(text) }
    }
}

extension WireReader {
    fileprivate mutating func result() throws(WireError) -> WarmResult {
        let digest = try optional { reader throws(WireError) in
            guard let digest = Digest(hex: try reader.text()) else { throw reader.failure("digest") }
            return digest
        }
        let facts = try optional { reader throws(WireError) in try reader.facts() }
        let placeholder = try optional { reader throws(WireError) in
            let text = try reader.text()
            guard text.utf8.count <= 100, text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
                throw reader.failure("placeholder")
            }
            return text
        }
        let failures = try list { reader throws(WireError) in
            try reader.optional { reader throws(WireError) in try reader.anyFailure() }
        }
        return WarmResult(
            digest: digest, facts: facts, placeholder: placeholder, failures: failures, isCached: try bool(),
            peakByteCount: try optional { reader throws(WireError) in try reader.integer() },
            steps: try list { reader throws(WireError) in try reader.step() }, duration: try span(),
            missingLayers: try list { reader throws(WireError) in Failure.bounded(try reader.text()) })
    }

    private mutating func step() throws(WireError) -> WarmResult.Step {
        WarmResult.Step(name: Failure.bounded(try text(), to: 40), duration: try span())
    }

    private mutating func span() throws(WireError) -> UInt64 {
        let value = try integer(UInt64.self)
        // Nothing takes a year.
        guard value < 1 << 55 else { throw failure("duration") }
        return value
    }
}
