internal import CPQ

/// The location of a PostgreSQL server, and how a program connects to it.
public struct Address: Hashable, Sendable {
    /// libpq's keywords with their values, for `PQconnectdbParams`.
    let parameters: [Parameter]

    /// A keyword of libpq with its value.
    struct Parameter: Hashable, Sendable {
        let key: String
        let value: String
    }

    /// The address without its password, for logs.
    public let shown: String

    /// Settings that apply unless the address overrides them: time-outs that detect a dead server or a cut network
    /// within half a minute, and a server that accepts changes.
    private static let defaults = [
        Parameter(key: "connect_timeout", value: "5"), Parameter(key: "keepalives_idle", value: "10"),
        Parameter(key: "keepalives_interval", value: "5"), Parameter(key: "keepalives_count", value: "3"),
        Parameter(key: "tcp_user_timeout", value: "20000"),
        Parameter(key: "target_session_attrs", value: "read-write"),
    ]

    /// The same on the server's side, unless the address overrides them. So the locks of a host that vanishes silently
    /// are free soon. With the server's own settings, that takes hours.
    private static let defaultOptions = [
        "-c tcp_keepalives_idle=10", "-c tcp_keepalives_interval=5", "-c tcp_keepalives_count=3",
        "-c tcp_user_timeout=20000",
    ]

    /// Settings of every session, whatever the address says.
    private static let options = [
        "-c statement_timeout=30s", "-c lock_timeout=10s", "-c idle_in_transaction_session_timeout=60s",
        "-c timezone=UTC",
    ]

    /// - Parameters:
    ///   - text: `postgres://…` or `postgresql://…` as libpq accepts it
    ///     (postgresql.org/docs/current/libpq-connect.html).
    ///   - program: the name under which the server lists the connections.
    /// - Throws: `address`, which never quotes the text, because it may contain a password.
    public init(_ text: String, program: String) throws(PostgreSQLError) {
        var message: UnsafeMutablePointer<CChar>?
        guard Self.isAddress(text), let found = PQconninfoParse(text, &message) else {
            if let message { PQfreemem(message) }
            throw .address(message: "it must be postgres://USER@HOST:PORT/DATABASE")
        }
        defer { PQconninfoFree(found) }
        var given: [Parameter] = []
        var place = found
        while let keyword = place.pointee.keyword {
            if let value = place.pointee.val {
                given.append(Parameter(key: String(cString: keyword), value: String(cString: value)))
            }
            place += 1
        }
        func value(_ key: String) -> String? { given.first { $0.key == key }?.value }
        let keys = Set(given.map(\.key))
        // Of two values, the later one applies.
        let session = (Self.defaultOptions + [value("options")].compactMap { $0 } + Self.options).joined(separator: " ")
        let name = value("application_name") ?? program
        parameters =
            given.filter { !["options", "application_name", "client_encoding"].contains($0.key) }
            + Self.defaults.filter { !keys.contains($0.key) } + [
                Parameter(key: "application_name", value: name), Parameter(key: "options", value: session),
                Parameter(key: "client_encoding", value: "UTF8"),
            ]
        let server = [value("host"), value("port")].compactMap { $0 }.joined(separator: ":")
        shown = "postgres://\(server)/\(value("dbname") ?? "")"
    }

    /// Whether the address requires a server that accepts changes.
    var wantsChanges: Bool {
        parameters.contains { $0.key == "target_session_attrs" && ["read-write", "primary"].contains($0.value) }
    }

    /// Whether a text is meant to be the address of a PostgreSQL server.
    public static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }
}
