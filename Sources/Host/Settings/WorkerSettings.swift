internal import Media

/// What `thumbd` alone goes by.
public struct WorkerSettings: Sendable {
    /// Folders below which sources may lie; none: nothing may be opened.
    public let roots: [String]
    public let maxSourceByteCount: UInt64
    /// Where health and metrics are told; `nil`: nowhere.
    public let address: ListenAddress?
    public let lease: Duration
    public let drainTime: Duration
    public let doneAge: Duration
    public let doneCount: Int

    /// A host or its number, and a port.
    public struct ListenAddress: Hashable, Sendable {
        public let host: String
        public let port: Int

        /// `127.0.0.1:9321`, `[::1]:9321` or `:9321`, which is loopback; `nil` for anything else. Port 0 is any free one.
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
            throw values.refusal(.roots, "absolute paths with colons between")
        }
        maxSourceByteCount = try values.byteCount(.maxSource)
        if values.text(.listen).isEmpty {
            address = nil
        } else {
            address = ListenAddress(parsing: values.text(.listen))
            if address == nil { throw values.refusal(.listen, "an address such as 127.0.0.1:9321, or nothing") }
        }
        // Shorter than a heartbeat over a busy disk may take, and every lease would be lost.
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
