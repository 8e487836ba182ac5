/// The reason why PostgreSQL did not execute a statement.
public enum PostgreSQLError: SQLFault, Hashable {
    /// The server refused the statement, with a code from its table
    /// (postgresql.org/docs/current/errcodes-appendix.html).
    case refused(state: String, message: String)
    /// There is no connection, or it broke. It is unknown whether the last statement was executed.
    case disconnected(message: String)
    /// A statement reached its limit and was ended.
    case stopped
    /// All connections are in use, and none became free in time.
    case busy(limit: Int)
    /// The address is not valid.
    case address(message: String)
}

extension PostgreSQLError {
    /// Whether the transaction can be retried immediately: it lost to another one, and has changed nothing.
    ///
    /// After a unique violation: the conflicting row did not exist when the transaction looked. The retry sees it.
    public var isLostRace: Bool {
        // serialization_failure, deadlock_detected, unique_violation
        if case .refused(let state, _) = self { ["40001", "40P01", "23505"].contains(state) } else { false }
    }

    /// The fault behind the error.
    public var trouble: SQLTrouble {
        if isFull { return .full }
        if isReadOnly { return .readOnly }
        if isLocked { return .locked }
        // The class program_limit_exceeded: too many columns, or an expression that is too deep.
        if case .refused(let state, _) = self, state.hasPrefix("54") { return .tooComplex }
        return self == .stopped ? .stopped : .other
    }

    /// Whether the server has no room to write.
    public var isFull: Bool {
        // disk_full, out_of_memory
        if case .refused(let state, _) = self { state == "53100" } else { false }
    }

    /// Whether the server accepts no changes: it is a replica, or is set to read-only.
    public var isReadOnly: Bool {
        // read_only_sql_transaction
        if case .refused(let state, _) = self { state == "25006" } else { false }
    }

    /// Whether a lock was not available in time.
    public var isLocked: Bool {
        switch self {
        // lock_not_available, query_canceled (by the statement's time-out)
        case .refused(let state, _): ["55P03", "57014"].contains(state)
        case .busy: true
        case .disconnected, .stopped, .address: false
        }
    }

    /// Whether another transaction held a lock beyond this one's lock time-out.
    var isLockTimeout: Bool {
        // lock_not_available
        if case .refused(let state, _) = self { state == "55P03" } else { false }
    }

    /// Whether the connection is no longer usable.
    var endsConnection: Bool {
        switch self {
        case .disconnected: true
        // admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout
        case .refused(let state, _): state.hasPrefix("57P") || state.hasPrefix("08")
        case .busy, .stopped, .address: false
        }
    }
}

extension PostgreSQLError: CustomStringConvertible {
    /// The reason and its remedy; never the address, which may contain a password.
    public var description: String {
        switch self {
        // invalid_sql_statement_name
        case .refused("26000", let message):
            """
            PostgreSQL refused it (26000): \(message); a transaction pooler must keep prepared statements \
            (max_prepared_statements), or set pool_mode = session
            """
        case .refused(let state, let message): "PostgreSQL refused it (\(state)): \(message)"
        case .disconnected(let message): "PostgreSQL cannot be reached: \(message)"
        case .stopped: "the statement took too long"
        case .busy(let limit): "all \(limit) connections to PostgreSQL are in use"
        case .address(let message): "the database's address cannot be used: \(message)"
        }
    }
}
