internal import Database
internal import Documents
internal import Library
internal import Linux
internal import Media
internal import People

/// Handles one request about rows. It blocks, and is used by one thread.
struct RowDesk {
    let library: DocumentLibrary
    let caller: Caller
    let addresses: FileAddresses
    let call: RowCall
    private let reader: TableReader
    /// Whether nobody waits for the response any more.
    private let hasClientLeft: @Sendable () -> Bool

    init(
        library: DocumentLibrary, database: any SQLDatabase, caller: Caller, addresses: FileAddresses, call: RowCall,
        hasClientLeft: @escaping @Sendable () -> Bool
    ) {
        self.library = library
        self.caller = caller
        self.addresses = addresses
        self.call = call
        self.hasClientLeft = hasClientLeft
        reader = TableReader(
            database, within: caller.reach,
            index: { text, person in
                try library.store.versions(thatMayHave: text, of: person, atMost: Self.mostFound)
            }, hasClientLeft: hasClientLeft)
    }

    /// If more rows have a text, a scan of all rows in order soon finds a page.
    private static let mostFound = 2000

    func read() throws(RowError) -> RowAnswer {
        let plan = try RowPlan(call.query, of: call.table)
        let range = try call.query.root.range.resolved(header: call.range, maximum: RowCall.mostRows)
        let page = try reader.page(plan, range: range, isCounted: call.preferences.count != nil)
        return try .read(
            page.rows, of: page.total, plan: plan, range: range, form: call.form, preferences: call.preferences,
            address: addresses.address)
    }

    func insert(_ body: RowBody) throws(RowError) -> RowAnswer {
        let plan = try answerPlan()
        let rows = try inputs(body)
        try RowAnswer.check(count: rows.count, form: call.form, preferences: call.preferences)
        let documentOwners = try documentOwners(in: rows)
        return try transaction(of: owners(adding: rows, documentOwners)) { () throws(RowError) in
            let (written, addsRows) = try add(rows, documentOwners)
            let isNew = addsRows || rows.isEmpty || call.preferences.resolution != .merge
            let location = written.count == 1 ? "/\(call.table.name)?id=eq.\(written[0])" : nil
            return try .changed(
                try reader.rows(plan, ids: written), by: .insertion(isNew: isNew), plan: plan, location: location,
                form: call.form, preferences: call.preferences, address: addresses.address)
        }
    }

    /// Inserts rows, or merges them with existing ones.
    ///
    /// - Returns: the IDs of the rows that were written, and whether any of them is new.
    private func add(
        _ rows: [RowInput], _ documentOwners: [String: ID<Person>]
    ) throws(RowError) -> ([String], Bool) {
        var written: [String] = []
        var merged: Set<String> = []
        // The rows to insert next.
        var new: [RowInput] = []
        var addsRows = false
        let mostTogether = isListOfSchools ? Self.mostSchoolsTogether : 1
        var index = try conflictIndex(for: rows)
        try eachRow(of: rows) { row throws(RowError) in
            let match = index.add(row)
            if match == nil { new.append(row) }
            if match != nil || new.count == mostTogether {
                addsRows = addsRows || !new.isEmpty
                written += try insert(new, documentOwners)
                new = []
            }
            switch (call.preferences.resolution, match) {
            case (_, nil), (.ignore, _): return
            case (.merge, .stored(let found)):
                // The row has changed since it was read.
                guard merged.insert(found.id).inserted else { throw .affectedTwice }
                try changes(of: found).update(found, to: row)
                written.append(found.id)
            case (.merge, .added): throw .affectedTwice
            case (nil, _):
                throw RowError(
                    409, "23505", "duplicate key value violates unique constraint \"\(call.table.name)_pkey\"")
            }
        }
        return (written + (try insert(new, documentOwners)), addsRows || !new.isEmpty)
    }

    /// Whether a person sends schools: clients send their whole list.
    private var isListOfSchools: Bool { call.table == .schools && caller.role == .person }
    private static let mostSchoolsTogether = 100

    private func insert(
        _ rows: [RowInput], _ documentOwners: [String: ID<Person>]
    ) throws(RowError) -> [String] {
        if isListOfSchools { return rows.isEmpty ? [] : try changes(by: caller).insertSchools(rows) }
        var ids: [String] = []
        for row in rows { ids.append(try changes(adding: row, documentOwners).insert(row)) }
        return ids
    }

    /// Changes rows one by one inside a transaction, for which all other changes wait.
    ///
    /// - Throws: `clientLeft` or `changeTooLong` before a row. Then nothing is changed.
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

    /// Makes a request one change: its rows are chosen inside, and its response is ready before the commit. An error
    /// rolls everything back.
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
            var changed: [String] = []
            if let row, !row.values.isEmpty {
                try RowAnswer.check(count: found.count, form: call.form, preferences: call.preferences)
                try eachRow(of: found) { found throws(RowError) in try changes(of: found).update(found, to: row) }
                changed = found.map(\.id)
            }
            return try .changed(
                try reader.rows(plan, ids: changed), by: .update, plan: plan, form: call.form,
                preferences: call.preferences, address: addresses.address)
        }
    }

    func delete() throws(RowError) -> RowAnswer {
        let plan = try answerPlan()
        return try changing("DELETE") { matching throws(RowError) in
            let found = try allRemoved(with: matching)
            try RowAnswer.check(count: found.count, form: call.form, preferences: call.preferences)
            // The response has the rows as they were, with their relations.
            let answer = try RowAnswer.changed(
                try reader.rows(plan, ids: found.map(\.id)), by: .deletion, plan: plan, form: call.form,
                preferences: call.preferences, address: addresses.address)
            try eachRow(of: found) { found throws(RowError) in try changes(of: found).delete(found) }
            return answer
        }
    }

    /// The rows that are removed with these: a document's current version takes the others with it. It comes before
    /// them, so that its line is removed at once.
    private func allRemoved(with rows: [SelectedRow]) throws(RowError) -> [SelectedRow] {
        guard call.table == .documents, let mark = call.table.index(of: "is_current") else { return rows }
        var ids: [String] = []
        func requireFew() throws(RowError) {
            guard ids.count <= RowCall.mostRows else { throw .tooManyRows(Int64(ids.count)) }
        }
        for row in rows where row.values[mark] == .boolean(true) {
            guard let id = ID<Document>(row.id) else { continue }
            let versions = try RowError.converting(in: call.table) { () throws(DocumentError) in
                try library.store.versions(of: id, owner: row.owner)
            }
            ids += [row.id] + versions.map(\.id.text).filter { $0 != row.id }
            try requireFew()
        }
        var known = Set(ids)
        ids += rows.map(\.id).filter { known.insert($0).inserted && ID<Document>($0) != nil }
        try requireFew()
        return try reader.rows(.identities(of: call.table), ids: ids)
    }

    /// The people to whom the operator adds rows, if the rows name them; otherwise the caller.
    private func owners(adding rows: [RowInput], _ documentOwners: [String: ID<Person>]) -> Set<ID<Person>> {
        if caller.role == .person { return [caller.owner] }
        return Set(
            rows.compactMap { row in
                row.text("user_id").flatMap { ID<Person>($0) } ?? row.text("document_id").flatMap { documentOwners[$0] }
            })
    }

    /// The owners of the documents that the operator's rows name, by the documents' IDs, if these are known.
    private func documentOwners(in rows: [RowInput]) throws(RowError) -> [String: ID<Person>] {
        guard caller.role == .operator, call.table.index(of: "document_id") != nil else { return [:] }
        let named = Set(rows.compactMap { $0.text("document_id") })
        let found = try reader.rows(.identities(of: .documents), ids: Array(named))
        return Dictionary(found.map { ($0.id, $0.owner) }) { first, _ in first }
    }

    /// Changes a row on behalf of its owner.
    private func changes(of row: SelectedRow) throws(RowError) -> RowChanges {
        caller.role == .person ? changes(by: caller) : try changes(for: row.owner)
    }

    /// Adds a row for the person whom it names, or whose document it names.
    private func changes(
        adding row: RowInput, _ documentOwners: [String: ID<Person>]
    ) throws(RowError) -> RowChanges {
        switch caller.role {
        case .person: return changes(by: caller)
        case .anonymous: throw .rowSecurity(call.table, isSignedIn: false)
        case .operator:
            guard call.table.index(of: "user_id") != nil else {
                return try changes(for: row.text("document_id").flatMap { documentOwners[$0] })
            }
            guard let owner = row.text("user_id") else { throw .null("user_id", of: call.table) }
            return try changes(for: ID(owner))
        }
    }

    private func changes(for owner: ID<Person>?) throws(RowError) -> RowChanges {
        guard let owner, let acting = caller.acting(for: owner) else { throw .rowSecurity(call.table) }
        return changes(by: acting)
    }

    private func changes(by caller: Caller) -> RowChanges {
        RowChanges(library: library, caller: caller, table: call.table, reader: reader)
    }

    /// Changes the rows that fulfil the query's condition. They are searched before the transaction, for which all
    /// other changes wait, and read again inside it: rows that no longer match are left unchanged.
    ///
    /// - Parameter verb: SQL's word for the change.
    private func changing(
        _ verb: String, _ change: ([SelectedRow]) throws(RowError) -> RowAnswer
    ) throws(RowError) -> RowAnswer {
        guard !call.query.root.condition.isEmpty else {
            throw RowError(400, "21000", "\(verb) requires a WHERE clause")
        }
        // An order applies to the returned rows.
        guard call.query.root.range == RowRange() else {
            throw .notBuilt("A change cannot have limit or offset. Filter by id instead.")
        }
        let condition = call.query.root.condition
        let plan = try RowPlan.identities(of: call.table, where: condition)
        let found = try reader.rows(plan, range: RowRange(limit: RowCall.mostRows + 1))
        guard found.count <= RowCall.mostRows else { throw .tooManyRows(try reader.count(plan)) }
        var query = RowQuery()
        query.root.condition = condition
        let all = try RowPlan(query, of: call.table)
        return try transaction(of: Set(found.map(\.owner))) { () throws(RowError) in
            try change(try reader.rows(all, ids: found.map(\.id)))
        }
    }

    /// The plan of the changed rows in the response: the filters have chosen them already. If no rows are returned,
    /// they are only counted.
    private func answerPlan() throws(RowError) -> RowPlan {
        var query = call.query
        query.root.condition = .all([])
        let plan = try RowPlan(query, of: call.table)
        return call.preferences.representation == .full ? plan : try .identities(of: call.table)
    }

    /// An index of the rows by the columns of `on_conflict`, or by the primary key.
    private func conflictIndex(for rows: [RowInput]) throws(RowError) -> ConflictIndex {
        let columns = call.preferences.resolution == nil ? ["id"] : call.query.conflictColumns ?? ["id"]
        return try ConflictIndex(
            columns, of: call.table, owner: caller.role == .person ? caller.owner : nil, for: rows, in: reader)
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
}

/// The values of a body's row by column.
struct RowInput {
    let values: [String: RowValue]

    /// The text of a column; `nil` if it is null or absent.
    func text(_ column: String) -> String? { values[column]?.text }
}
