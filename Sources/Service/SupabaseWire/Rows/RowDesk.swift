internal import Access
internal import Documents
internal import Library
internal import Linux
internal import Media

/// Answers one request about rows. It blocks, and is used by one thread.
struct RowDesk {
    let library: DocumentLibrary
    let caller: Caller
    let addresses: FileAddresses
    let call: RowCall
    let source: CallerRows
    /// Whether nobody waits for the answer any more.
    private let hasClientLeft: @Sendable () -> Bool

    init(
        library: DocumentLibrary, caller: Caller, addresses: FileAddresses, call: RowCall,
        hasClientLeft: @escaping @Sendable () -> Bool
    ) {
        self.library = library
        self.caller = caller
        self.addresses = addresses
        self.call = call
        self.hasClientLeft = hasClientLeft
        source = CallerRows(library, within: caller.reach)
    }

    func read() throws(RowError) -> RowAnswer {
        let plan = try RowPlan(call.query, of: call.table)
        let range = try call.query.root.range.resolved(header: call.range, maximum: RowCall.mostRows)
        let candidates = try source.candidates(for: call.query.root.condition, of: call.table)
        let rows = try plan.select(candidates, from: source, until: hasClientLeft)
        return try .read(
            rows, plan: plan, range: range, form: call.form, preferences: call.preferences, finish: finish)
    }

    func insert(_ body: RowBody) throws(RowError) -> RowAnswer {
        let plan = try answerPlan()
        let rows = try inputs(body)
        try RowAnswer.check(count: rows.count, form: call.form, preferences: call.preferences)
        return try transaction(of: try owners(adding: rows)) { () throws(RowError) in
            let (written, addsRows) = try add(rows)
            let isNew = addsRows || rows.isEmpty || call.preferences.resolution != .merge
            let location = written.count == 1 ? written[0][0].text.map { "/\(call.table.name)?id=eq.\($0)" } : nil
            return try .changed(
                try plan.select(try rowsNow(written), from: source), by: .insertion(isNew: isNew), plan: plan,
                location: location, form: call.form, preferences: call.preferences, finish: finish)
        }
    }

    /// Inserts rows, or merges them with those that are there.
    ///
    /// - Returns: the rows that were written, as they were before or as they were added, and whether one of them is new.
    private func add(_ rows: [RowInput]) throws(RowError) -> ([[RowValue]], Bool) {
        var written: [[RowValue]] = []
        var addsRows = false
        var index = try conflictIndex()
        try eachRow(of: rows) { row throws(RowError) in
            if let found = try index.row(likeThis: row, in: source) {
                switch call.preferences.resolution {
                case .merge:
                    try changes(of: found).update(found, to: row)
                    written.append(found)
                case .ignore: return
                case nil:
                    throw RowError(
                        409, "23505", "duplicate key value violates unique constraint \"\(call.table.name)_pkey\"")
                }
            } else {
                let added = try changes(adding: row).insert(row)
                index.add(added)
                written.append(added)
                addsRows = true
            }
        }
        return (written, addsRows)
    }

    /// Changes rows one after another inside a transaction, which everybody else's changes wait for.
    ///
    /// - Throws: before a row where the client has left, or the change takes too long. Nothing is changed then.
    private func eachRow<Row>(of rows: [Row], _ change: (Row) throws(RowError) -> Void) throws(RowError) {
        let end = Time.monotonic + Self.longestChange
        for row in rows {
            if hasClientLeft() { throw .clientLeft }
            if Time.monotonic >= end { throw .changeTooLong }
            try change(row)
        }
    }

    /// Other processes wait for the database's lock for 5 s.
    private static let longestChange: Duration = .seconds(4)

    /// Makes a request one change: the rows that it is about are chosen inside, and its answer is ready before the change is committed. An error
    /// undoes all of it.
    private func transaction<Value>(
        of owners: Set<ID<Person>>, _ body: () throws(RowError) -> Value
    ) throws(RowError) -> Value {
        do {
            return try library.store.transaction(of: owners, body)
        } catch {
            if let error = error as? RowError { throw error }
            throw RowError(error as? DocumentError ?? .unavailable(detail: "\(error)"), in: call.table)
        }
    }

    func update(_ body: RowBody) throws(RowError) -> RowAnswer {
        let plan = try answerPlan()
        let row = try inputs(body).first
        return try changing("UPDATE") { found throws(RowError) in
            var answered: [[RowValue]] = []
            if let row, !row.values.isEmpty {
                try RowAnswer.check(count: found.count, form: call.form, preferences: call.preferences)
                try eachRow(of: found) { values throws(RowError) in try changes(of: values).update(values, to: row) }
                answered = try rowsNow(found)
            }
            return try .changed(
                try plan.select(answered, from: source), by: .update, plan: plan, form: call.form,
                preferences: call.preferences, finish: finish)
        }
    }

    func delete() throws(RowError) -> RowAnswer {
        let plan = try answerPlan()
        return try changing("DELETE") { matching throws(RowError) in
            let found = try source.allRemoved(with: matching, of: call.table)
            try RowAnswer.check(count: found.count, form: call.form, preferences: call.preferences)
            // The answer tells the rows as they were, with their relations.
            let answer = try RowAnswer.changed(
                try plan.select(found, from: source, until: hasClientLeft), by: .deletion, plan: plan, form: call.form,
                preferences: call.preferences, finish: finish)
            try eachRow(of: found) { values throws(RowError) in try changes(of: values).delete(values) }
            return answer
        }
    }

    /// The people to whom the operator adds rows, as far as the rows name them, or the caller.
    private func owners(adding rows: [RowInput]) throws(RowError) -> Set<ID<Person>> {
        if caller.role == .person { return [caller.owner] }
        var owners: Set<ID<Person>> = []
        for row in rows {
            var text = row.text("user_id")
            if text == nil { text = try documentOwner(row.text("document_id")) }
            if let owner = text.flatMap({ ID<Person>($0) }) { owners.insert(owner) }
        }
        return owners
    }

    /// Changes a row as the one whom it belongs to.
    private func changes(of values: [RowValue]) throws(RowError) -> RowChanges {
        if caller.role == .person { return changes(by: caller) }
        guard let place = call.table.index(of: "user_id") else {
            return try changes(for: try documentOwner(values[1].text))
        }
        return try changes(for: values[place].text)
    }

    /// Adds a row for the one whom it names, or whose document it names.
    private func changes(adding row: RowInput) throws(RowError) -> RowChanges {
        switch caller.role {
        case .person: return changes(by: caller)
        case .anonymous: throw .rowSecurity(call.table, isSignedIn: false)
        case .operator:
            guard call.table.index(of: "user_id") != nil else {
                return try changes(for: try documentOwner(row.text("document_id")))
            }
            guard let owner = row.text("user_id") else { throw .null("user_id", of: call.table) }
            return try changes(for: owner)
        }
    }

    private func changes(for owner: String?) throws(RowError) -> RowChanges {
        guard let owner = owner.flatMap({ ID<Person>($0) }), let acting = caller.acting(for: owner) else {
            throw .rowSecurity(call.table)
        }
        return changes(by: acting)
    }

    private func changes(by caller: Caller) -> RowChanges {
        RowChanges(library: library, caller: caller, table: call.table, source: source)
    }

    private func documentOwner(_ id: String?) throws(RowError) -> String? {
        guard let id = id.flatMap({ ID<Document>($0) }) else { return nil }
        return try RowError.converting(in: call.table) { () throws(DocumentError) in
            try source.owner(of: id)?.text
        }
    }

    /// Makes a change to the rows that fulfil the query's condition. They are searched for before its transaction, which everybody else's changes
    /// wait for, and read again inside: what fulfils the condition no more is left alone.
    ///
    /// - Parameter verb: SQL's word for the change.
    private func changing(
        _ verb: String, _ change: ([[RowValue]]) throws(RowError) -> RowAnswer
    ) throws(RowError) -> RowAnswer {
        guard !call.query.root.condition.isEmpty else {
            throw RowError(400, "21000", "\(verb) requires a WHERE clause")
        }
        var query = RowQuery()
        query.root.condition = call.query.root.condition
        let plan = try RowPlan(query, of: call.table)
        let candidates = try source.candidates(for: query.root.condition, of: call.table)
        let found = try plan.select(candidates, from: source, until: hasClientLeft).map(\.values)
        guard found.count <= RowCall.mostRows else { throw .tooManyRows(found.count) }
        return try transaction(of: try source.owners(of: found, call.table)) { () throws(RowError) in
            let now = try source.again(found, of: call.table)
            return try change(try plan.select(now, from: source, until: hasClientLeft).map(\.values))
        }
    }

    /// What is answered of changed rows: filters chose them before.
    private func answerPlan() throws(RowError) -> RowPlan {
        var query = call.query
        query.root.condition = .all([])
        return try RowPlan(query, of: call.table)
    }

    /// Rows as they are after a change.
    private func rowsNow(_ rows: [[RowValue]]) throws(RowError) -> [[RowValue]] {
        guard call.preferences.representation == .full || call.preferences.count != nil || call.form == .object else {
            return rows
        }
        return try source.again(rows, of: call.table)
    }

    /// The rows by the columns of `on_conflict`, or by the key.
    private func conflictIndex() throws(RowError) -> ConflictIndex {
        let columns = call.preferences.resolution == nil ? ["id"] : call.query.conflictColumns ?? ["id"]
        return try ConflictIndex(columns, of: call.table, owner: caller.role == .person ? caller.owner : nil)
    }

    private func inputs(_ body: RowBody) throws(RowError) -> [RowInput] {
        for key in body.keys where call.table.index(of: key) == nil {
            throw .unknownBodyColumn(key, of: call.table.name)
        }
        var inputs: [RowInput] = []
        for row in body.rows {
            var values: [String: RowValue] = [:]
            for key in body.keys {
                guard let index = call.table.index(of: key) else { continue }
                if let json = row[key] {
                    values[key] = try call.table.columns[index].type.value(of: json)
                } else if call.preferences.missing != .defaults {
                    values[key] = .null
                }
            }
            inputs.append(RowInput(values: values))
        }
        return inputs
    }

    /// Rows name files by their paths until they are answered.
    private func finish(_ table: RowTable, _ values: [RowValue]) -> [RowValue] {
        guard table == .documents, let place = table.index(of: "file_url"), let path = values[place].text else {
            return values
        }
        var values = values
        values[place] = .text(addresses.address(of: path, values[0].text.flatMap { source.objects[$0] }))
        return values
    }
}

/// The values of a body's row by column.
struct RowInput {
    let values: [String: RowValue]

    /// The text of a column; `nil` where it is null or absent.
    func text(_ column: String) -> String? { values[column]?.text }
}
