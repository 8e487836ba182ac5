internal import CLinux
internal import CPQ
internal import Linux

/// A connection to a PostgreSQL server, for one thread at a time.
///
/// Every statement is prepared once. Statements whose answer is not needed are sent together with the next one that
/// waits (`send`), in libpq's pipeline mode. So a transaction costs few round trips.
///
/// Safe as `Sendable`: the pool lends it to one thread at a time.
final class ServerConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    /// Whether the address requires a server that accepts changes.
    private let wantsChanges: Bool
    /// How long the server may be silent while an answer is due; `nil` for no limit. Only this detects a stopped server
    /// program whose kernel still runs.
    var patience: Duration?
    /// The names of the prepared statements, by text.
    private var prepared: [String: String] = [:]
    /// The texts prepared since the last answer.
    private var unconfirmed: [String] = []
    /// The number of names assigned so far; none is assigned twice.
    private var nameCount = 0
    /// The prefix of the names. If a pooler mixes up connections, a statement is then missing, but never a different
    /// one.
    private let namePrefix = "s" + String(UInt32.random(in: 0...(.max)), radix: 36) + "_"
    /// The statements and preparations that are still to be answered, in order.
    private var outstanding: [Outstanding] = []
    /// Whether the connection is no longer usable.
    private(set) var isBroken = false
    /// Whether ending its transaction has failed.
    var isSuspect = false
    /// Whether a row is being lent. If so, more answers are due before anything can be sent.
    private var isLending = false

    private enum Outstanding {
        case statement
        /// A statement whose rows arrive one at a time.
        case rows
        case preparation
    }

    /// Connects.
    ///
    /// - Throws: `disconnected`, or a refusal with `isReadOnly` if the address requires a server that accepts changes
    ///   and only others are reachable.
    init(_ address: Address, patience: Duration) throws(PostgreSQLError) {
        let keywords = address.parameters.map(\.key)
        let values = address.parameters.map(\.value)
        let opened = withCStrings(keywords) { keywords in
            withCStrings(values) { values in PQconnectdbParams(keywords, values, 0) }
        }
        guard let opened else { throw .disconnected(message: "out of memory") }
        handle = opened
        wantsChanges = address.wantsChanges
        self.patience = patience
        guard PQstatus(handle) == CONNECTION_OK else {
            // The message has one line for each server. libpq translates nothing unless the program asks for it.
            if String(cString: PQerrorMessage(handle)).contains("session is read-only") {
                isBroken = true
                throw .refused(state: "25006", message: "no reachable server accepts changes")
            }
            throw broken()
        }
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        PQenterPipelineMode(handle)
        // Sending never waits for a server that does not read. `awaitResult` waits, with a limit.
        PQsetnonblocking(handle, 1)
    }

    deinit { PQfinish(handle) }

    /// The socket, to wait for.
    var socket: Int32 { PQsocket(handle) }

    /// The number of the server's process for this connection, or the number that a pooler reports instead.
    var serverProcess: Int32 { PQbackendPID(handle) }

    private static func message(_ handle: OpaquePointer) -> String {
        // The lines after the first one contain questions and advice.
        let text = String(cString: PQerrorMessage(handle))
        return text.split(separator: "\n").first.map(String.init) ?? "no reason given"
    }

    private func broken() -> PostgreSQLError {
        isBroken = true
        return .disconnected(message: Self.message(handle))
    }

    /// Ends the use of the connection.
    func abandon() { isBroken = true }

    /// Whether the server no longer accepts changes, although the address requires one that does. The server reports
    /// this with each answer.
    var isDemoted: Bool {
        func isOn(_ setting: String) -> Bool { PQparameterStatus(handle, setting).map { String(cString: $0) } == "on" }
        return wantsChanges && (isOn("in_hot_standby") || isOn("default_transaction_read_only"))
    }

    /// Sends a statement without waiting for its answer. The next call that waits checks it.
    func send(_ sql: String, _ values: [(any SQLConvertible)?] = []) throws(PostgreSQLError) {
        try checkUsable()
        let name = try prepare(sql)
        let isSent = Self.withTexts(values) { texts in
            PQsendQueryPrepared(handle, name, Int32(values.count), texts, nil, nil, 0)
        }
        guard isSent == 1 else { throw broken() }
        outstanding.append(.statement)
    }

    /// As `send`, for a text that is not used again: the server keeps nothing of it.
    ///
    /// - Parameter isRowByRow: whether `receive(lending:)` gets its rows one at a time. If so, no other call gets them.
    func sendOnce(
        _ sql: String, _ values: [(any SQLConvertible)?] = [], isRowByRow: Bool = false
    ) throws(PostgreSQLError) {
        try checkUsable()
        let isSent = Self.withTexts(values) { texts in
            PQsendQueryParams(
                handle, PlaceholderText.numbered(sql), Int32(values.count), nil, texts, nil, nil, 0)
        }
        guard isSent == 1 else { throw broken() }
        outstanding.append(isRowByRow ? .rows : .statement)
    }

    private func checkUsable() throws(PostgreSQLError) {
        precondition(!isLending, "a statement was run inside the reading of another one's rows")
        if isBroken { throw .disconnected(message: "the connection was already broken") }
    }

    private static func withTexts<Answer>(
        _ values: [(any SQLConvertible)?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Answer
    ) -> Answer {
        let texts = values.map { value -> String? in
            switch value?.sqlValue {
            case nil: nil
            case .integer(let number): "\(number)"
            case .text(let text): text
            case .boolean(let truth): truth ? "t" : "f"
            }
        }
        return withCStrings(texts, body)
    }

    private func prepare(_ sql: String) throws(PostgreSQLError) -> String {
        if let name = prepared[sql] { return name }
        nameCount += 1
        let name = "\(namePrefix)\(nameCount)"
        guard PQsendPrepare(handle, name, PlaceholderText.numbered(sql), 0, nil) == 1 else { throw broken() }
        outstanding.append(.preparation)
        prepared[sql] = name
        unconfirmed.append(sql)
        return name
    }

    /// Waits for the answers to everything that was sent, and returns the last one.
    ///
    /// - Throws: the first refusal. The server has ignored everything that was sent after it.
    func receive() throws(PostgreSQLError) -> Answer {
        try receiveAll().last ?? Answer(result: nil)
    }

    /// Waits for the answers to all statements that were sent.
    ///
    /// - Throws: the first refusal. The server has ignored everything that was sent after it.
    func receiveAll() throws(PostgreSQLError) -> [Answer] {
        var answers: [Answer] = []
        try receiveEach { answer, source in
            if source == .statement { answers.append(answer) }
        }
        return answers
    }

    /// Waits for the answers to everything that was sent, and lends each row of a statement that was sent with
    /// `isRowByRow`. Memory holds one row at a time, and what libpq has read from the socket.
    ///
    /// If `body` throws, the remaining rows are read and dropped, so that the transaction can continue. The server's
    /// time-out for the statement bounds this too. A cancel request would fail the transaction, or arrive late and
    /// cancel the next statement.
    ///
    /// - Throws: what `body` throws, or else the first refusal, which may come after some rows.
    func receive(lending body: (Answer.AnswerRow) throws -> Void) throws {
        var failure: (any Error)?
        do throws(PostgreSQLError) {
            try receiveEach { answer, source in
                guard source == .rows, failure == nil else { return }
                isLending = true
                defer { isLending = false }
                do {
                    for index in 0..<answer.rowCount { try body(answer.row(index)) }
                } catch {
                    failure = error
                }
            }
        } catch {
            throw failure ?? error
        }
        if let failure { throw failure }
    }

    /// Waits for the results of everything that was sent. `take` gets the results of statements, even if a later one is
    /// refused.
    ///
    /// - Throws: the first refusal. The server has ignored everything that was sent after it.
    private func receiveEach(_ take: (Answer, Outstanding) -> Void) throws(PostgreSQLError) {
        try checkUsable()
        guard PQpipelineSync(handle) == 1 else { throw broken() }
        // Each statement has its own time limit at the server, but few need much of it.
        let limit = patience.map { $0 * (32 + outstanding.count) / 32 }
        var refusal: PostgreSQLError?
        while let next = outstanding.first {
            let nextRefusal = try receiveResults(of: next, within: limit, take)
            if refusal == nil { refusal = nextRefusal }
            outstanding.removeFirst()
        }
        try awaitResult(within: limit)
        guard let sync = PQgetResult(handle) else { throw broken() }
        let isSynchronized = PQresultStatus(sync) == PGRES_PIPELINE_SYNC
        PQclear(sync)
        guard isSynchronized else { throw broken() }
        if let refusal {
            // The server ignored the preparations after the refused statement, and does not say which ones.
            for sql in unconfirmed { prepared[sql] = nil }
            unconfirmed = []
            if refusal.endsConnection { isBroken = true }
            throw refusal
        }
        unconfirmed = []
    }

    /// Waits for the results of the next statement or preparation, up to their end.
    ///
    /// - Returns: the server's refusal, if any.
    private func receiveResults(
        of source: Outstanding, within limit: Duration?, _ take: (Answer, Outstanding) -> Void
    ) throws(PostgreSQLError) -> PostgreSQLError? {
        if source == .rows { try receiveRowByRow() }
        var refusal: PostgreSQLError?
        while true {
            try awaitResult(within: limit)
            guard let result = PQgetResult(handle) else {
                if PQstatus(handle) != CONNECTION_OK { throw broken() }
                return refusal
            }
            let answer = Answer(result: result)
            switch PQresultStatus(result) {
            // An answer without rows follows the single rows.
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE:
                if source != .preparation { take(answer, source) }
            case PGRES_PIPELINE_ABORTED: break
            default:
                if refusal == nil { refusal = answer.refusal ?? .disconnected(message: Self.message(handle)) }
            }
        }
    }

    /// Makes libpq return the rows of the next statement singly.
    ///
    /// The mode applies to one statement (postgresql.org/docs/15/libpq-single-row-mode.html). It is set after the end
    /// of the previous statement's results and before `PQisBusy`, which parses what has arrived.
    private func receiveRowByRow() throws(PostgreSQLError) {
        // The server ignores everything after a refused statement: there are no rows, and libpq refuses the mode.
        if PQpipelineStatus(handle) == PQ_PIPELINE_ABORTED { return }
        guard PQsetSingleRowMode(handle) == 1 else {
            isBroken = true
            throw .disconnected(message: "the rows of a statement cannot be read one at a time")
        }
    }

    /// Waits until `PQgetResult` can return without waiting, and sends what is still unsent. It reads from the socket
    /// only while libpq has no complete result, so at most one row and one read accumulate.
    ///
    /// - Parameter limit: how long the server may be silent.
    private func awaitResult(within limit: Duration?) throws(PostgreSQLError) {
        while true {
            let unsent = PQflush(handle)
            if unsent < 0 { throw broken() }
            if PQisBusy(handle) == 0 { return }
            var entry = pollfd(fd: socket, events: Int16(unsent == 0 ? POLLIN : POLLIN | POLLOUT), revents: 0)
            let count = poll(&entry, 1, limit.map { Int32($0.milliseconds.rounded(.up)) } ?? -1)
            if count == 0 {
                isBroken = true
                throw .disconnected(message: "the server does not answer")
            }
            guard PQconsumeInput(handle) == 1 else { throw broken() }
        }
    }

    /// Runs several unprepared statements without values, as for creating tables. It waits as long as they take.
    func script(_ sql: String) throws(PostgreSQLError) {
        // Only `PQexec` accepts several statements at once, and not in a pipeline.
        guard PQexitPipelineMode(handle) == 1 else { throw broken() }
        defer { PQenterPipelineMode(handle) }
        guard let result = PQexec(handle, sql) else { throw broken() }
        let answer = Answer(result: result)
        if PQresultStatus(result) == PGRES_COMMAND_OK || PQresultStatus(result) == PGRES_TUPLES_OK { return }
        throw answer.refusal ?? broken()
    }

    /// The channels of the notifications from other connections.
    func notifications() throws(PostgreSQLError) -> [String] {
        guard PQconsumeInput(handle) == 1 else { throw broken() }
        var channels: [String] = []
        while let notification = PQnotifies(handle) {
            if notification.pointee.be_pid != PQbackendPID(handle) {
                channels.append(String(cString: notification.pointee.relname))
            }
            PQfreemem(notification)
        }
        return channels
    }
}
