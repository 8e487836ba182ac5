internal import Media

/// The settings that only `thumbd` uses.
public struct WorkerSettings: Sendable {
    /// Absolute folders below which sources may be; if there is none, no source may be opened.
    public let roots: [String]
    /// The size beyond which a source is refused.
    public let maxSourceByteCount: UInt64
    /// The address of health and metrics over HTTP; `nil` for none.
    public let address: ListenAddress?
    /// How long a worker holds a claimed job without a heartbeat.
    public let lease: Duration
    /// The time that running jobs have left after the first signal to end.
    public let drainTime: Duration
    /// How long done jobs stay in the queue.
    public let doneAge: Duration
    /// The most done jobs that stay in the queue.
    public let doneCount: Int

    /// A host and a port.
    public struct ListenAddress: Hashable, Sendable {
        /// A name or number, without brackets.
        public let host: String
        /// 0 for any free port.
        public let port: Int

        /// Parses `127.0.0.1:9321`, `[::1]:9321` or `:9321`, which is loopback; `nil` for any other text.
        public init?(parsing text: String) {
            guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
                (0...65_535).contains(port)
            else { return nil }
            var host = text[..<colon]
            if host.hasPrefix("["), host.hasSuffix("]") {
                host = host.dropFirst().dropLast()
            } else if host.contains(":") {
                return nil
            }
            self.host = host.isEmpty ? "127.0.0.1" : String(host)
            self.port = port
        }
    }

    init(_ values: Settings.Values) throws(Failure) {
        roots = values.text(.roots).split(separator: ":").map(String.init)
        guard roots.allSatisfy({ $0.hasPrefix("/") }) else {
            throw values.refusal(.roots, "absolute paths separated by colons")
        }
        maxSourceByteCount = try values.byteCount(.maxSource)
        if values.text(.listen).isEmpty {
            address = nil
        } else {
            address = ListenAddress(parsing: values.text(.listen))
            if address == nil { throw values.refusal(.listen, "an address such as 127.0.0.1:9321, or nothing") }
        }
        // A heartbeat over a busy disk can take longer than a shorter lease: every job would be lost.
        guard let lease = Double(values.text(.lease)), (2...3600).contains(lease) else {
            throw values.refusal(.lease, "seconds, from 2 to 3600")
        }
        self.lease = .milliseconds(Int64(lease * 1000))
        guard let drain = Double(values.text(.drain)), (0...3600).contains(drain) else {
            throw values.refusal(.drain, "seconds, from 0 to 3600")
        }
        drainTime = .milliseconds(Int64(drain * 1000))
        doneAge = .seconds(86_400 * Int64(try values.count(.doneAge, in: 1...36_500)))
        doneCount = Int(try values.count(.doneCount, in: 1...1_000_000_000))
    }
}
