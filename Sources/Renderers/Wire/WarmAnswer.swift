public import Media

/// The answers of a host with warm renderers: first whether it accepts the work, then the result.
public enum WarmAnswer: Hashable, Sendable {
    /// The work has begun.
    case accepted
    /// The host refuses the work, for this reason.
    case refused(String)
    /// The renditions are in the cache.
    case made(WarmResult)
    /// A failure of the whole source.
    case failed(Failure)
}

/// The renditions that another host made, without their bytes, which are in the cache.
public struct WarmResult: Hashable, Sendable {
    /// Absent if the source is known by its stat key.
    public var digest: Digest?
    /// The source's facts, if they are known.
    public var facts: Facts?
    /// The ThumbHash in base64.
    public var placeholder: String?
    /// For each recipe the failure instead of a rendition; `nil` if there is a rendition.
    public var failures: [Failure?]
    /// Whether no media had to be opened.
    public var isCached: Bool
    /// The largest resident size of a child, in bytes; `nil` if none ran.
    public var peakByteCount: UInt64?
    /// The time of each step, in their order.
    public var steps: [Step]
    /// The time from the request's arrival to its answer, in nanoseconds; steps may overlap.
    public var duration: UInt64
    /// The layers of the confinement that the other host's renderers lack.
    public var missingLayers: [String]

    /// One step's time.
    public struct Step: Hashable, Sendable {
        /// As in the engine's timings.
        public var name: String
        /// In nanoseconds.
        public var duration: UInt64

        /// A step that took this long.
        public init(name: String, duration: UInt64) {
            self.name = name
            self.duration = duration
        }
    }

    /// A result with a failure or `nil` per recipe.
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
    /// The answer as one message.
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

    /// Parses an answer; facts and texts are bounded.
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
        // About a year: no request takes longer.
        guard value < 1 << 55 else { throw failure("duration") }
        return value
    }
}
