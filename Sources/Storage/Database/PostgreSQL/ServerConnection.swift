internal import CLinux
internal import CPQ
internal import Linux

/// A connection to a PostgreSQL server, for one thread at a time.
///
/// Every statement is prepared once. Statements that answer nothing are sent together with the next one that does
/// (`send`), so that a transaction costs few round trips: libpq's pipeline mode.
///
/// Sound as `Sendable`: the pool lends it to one thread at a time.
final class ServerConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    /// Whether the server is one that takes changes, or none.
    private let wantsChanges: Bool
    /// How long the server may be silent while an answer is due; `nil` for ever. A program that is stopped beside a kernel that goes on
    /// shows in no other way.
    var patience: Duration?
    /// The names of the prepared statements, by their texts.
    private var prepared: [String: String] = [:]
    /// The texts that were prepared since the last answer.
    private var unconfirmed: [String] = []
    /// How many names were given so far; none is given twice.
    private var nameCount = 0
    /// What the names begin with. Where a pooler mixes up connections, a statement is missing then, and never another one.
    private let namePrefix = "s" + String(UInt32.random(in: 0...(.max)), radix: 36) + "_"
    /// What has to answer yet, in order: statements, and preparations.
    private var outstanding: [Outstanding] = []
    /// Whether nothing can be sent any more.
    private(set) var isBroken = false
    /// Whether its transaction could not be ended.
    var isSuspect = false
    /// Whether a row is being lent: more answers are due before anything can be sent.
    private var isLending = false

    private enum Outstanding {
        case statement
        /// A statement whose rows come one at a time.
        case rows
        case preparation
    }

    /// Connects.
    ///
    /// - Throws: `disconnected`, or a refusal with `isReadOnly` where the address asks for a server that takes changes, and only others can
    ///   be reached.
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
            // One line for each server; libpq translates nothing before the program asks for it.
            if String(cString: PQerrorMessage(handle)).contains("session is read-only") {
                isBroken = true
                throw .refused(state: "25006", message: "no reachable server accepts changes")
            }
            throw broken()
        }
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        PQenterPipelineMode(handle)
        // Sending never waits for a server that does not read; `awaitResult` does, with a limit.
        PQsetnonblocking(handle, 1)
    }

    deinit { PQfinish(handle) }

    /// The socket, to wait on.
    var socket: Int32 { PQsocket(handle) }

    /// The number of the server's process for this connection, or what a pooler says in its place.
    var serverProcess: Int32 { PQbackendPID(handle) }

    private static func message(_ handle: OpaquePointer) -> String {
        // The lines behind the first one ask and advise.
        let text = String(cString: PQerrorMessage(handle))
        return text.split(separator: "\n").first.map(String.init) ?? "no reason given"
    }

    private func broken() -> PostgreSQLError {
        isBroken = true
        return .disconnected(message: Self.message(handle))
    }

    /// Ends the use of the connection.
    func abandon() { isBroken = true }

    /// Whether the server takes no changes any more, though the address asks for one that does. It tells with each answer.
    var isDemoted: Bool {
        func isOn(_ setting: String) -> Bool { PQparameterStatus(handle, setting).map { String(cString: $0) } == "on" }
        return wantsChanges && (isOn("in_hot_standby") || isOn("default_transaction_read_only"))
    }

    /// Sends a statement without waiting for its answer, which the next call that waits looks at.
    func send(_ sql: String, _ values: [(any SQLConvertible)?] = []) throws(PostgreSQLError) {
        try checkUsable()
        let name = try prepare(sql)
        let isSent = Self.withTexts(values) { texts in
            PQsendQueryPrepared(handle, name, Int32(values.count), texts, nil, nil, 0)
        }
        guard isSent == 1 else { throw broken() }
        outstanding.append(.statement)
    }

    /// As `send`, for a text that does not come again: nothing of it stays at the server.
    ///
    /// - Parameter isRowByRow: whether `receive(lending:)` gets its rows one at a time; no other call gets them then.
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

    /// Waits for the answers to everything that was sent; the last one is returned.
    ///
    /// - Throws: the first refusal; the server has ignored what was sent behind it.
    func receive() throws(PostgreSQLError) -> Answer {
        try receiveAll().last ?? Answer(result: nil)
    }

    /// Waits for the answers to all statements that were sent.
    ///
    /// - Throws: the first refusal; the server has ignored what was sent behind it.
    func receiveAll() throws(PostgreSQLError) -> [Answer] {
        var answers: [Answer] = []
        try receiveEach { answer, source in
            if source == .statement { answers.append(answer) }
        }
        return answers
    }

    /// Waits for the answers to everything that was sent, and lends each row of a statement that was sent as `isRowByRow`. Memory holds one
    /// row at a time, and what libpq has read from the socket.
    ///
    /// If `body` throws, the rest of the rows is read and dropped, so that the transaction can go on. The server's time-out for the
    /// statement bounds this too. A cancel request would fail the transaction, or arrive late and cancel the next statement.
    ///
    /// - Throws: what `body` throws, else the first refusal, which may come after some rows.
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

    /// Waits for the results of everything that was sent. `take` gets those of statements, even if a later one is refused.
    ///
    /// - Throws: the first refusal; the server has ignored what was sent behind it.
    private func receiveEach(_ take: (Answer, Outstanding) -> Void) throws(PostgreSQLError) {
        try checkUsable()
        guard PQpipelineSync(handle) == 1 else { throw broken() }
        // Each statement has its own time at the server, but few need much of it.
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
            // Those behind the refused statement were ignored, and nothing tells which ones.
            for sql in unconfirmed { prepared[sql] = nil }
            unconfirmed = []
            if refusal.endsConnection { isBroken = true }
            throw refusal
        }
        unconfirmed = []
    }

    /// Waits for the results of the next statement or preparation, up to their end.
    ///
    /// - Returns: why the server refused it.
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

    /// Makes libpq return the rows of the next statement one at a time.
    ///
    /// The mode holds for one statement (postgresql.org/docs/15/libpq-single-row-mode.html). It is set after the end of the previous
    /// statement's results and before `PQisBusy`, which parses what has arrived.
    private func receiveRowByRow() throws(PostgreSQLError) {
        // The server ignores what follows a refused statement: there are no rows, and libpq refuses the mode.
        if PQpipelineStatus(handle) == PQ_PIPELINE_ABORTED { return }
        guard PQsetSingleRowMode(handle) == 1 else {
            isBroken = true
            throw .disconnected(message: "the rows of a statement cannot be read one at a time")
        }
    }

    /// Waits until `PQgetResult` returns without waiting, and sends what is still to be sent. It reads from the socket only while libpq has
    /// no complete result, so that no more than a row and one read piles up.
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

    /// Runs several statements without values, which nothing prepares: the making of tables. It waits as long as that takes.
    func script(_ sql: String) throws(PostgreSQLError) {
        // The one way in which libpq takes several at once; it knows none in a pipeline.
        guard PQexitPipelineMode(handle) == 1 else { throw broken() }
        defer { PQenterPipelineMode(handle) }
        guard let result = PQexec(handle, sql) else { throw broken() }
        let answer = Answer(result: result)
        if PQresultStatus(result) == PGRES_COMMAND_OK || PQresultStatus(result) == PGRES_TUPLES_OK { return }
        throw answer.refusal ?? broken()
    }

    /// The channels of notifications that have come from other connections.
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
