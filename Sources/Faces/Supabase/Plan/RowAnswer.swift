package import HTTPServing

/// The response to a request about rows.
package struct RowAnswer: Sendable {
    /// The HTTP status.
    package var status: Int
    /// `Content-Range` and others, without the headers that every response has.
    package var headers: [(name: String, value: String)] { fields.map { ($0.name, $0.value) } }
    /// The body; `nil` if there is none.
    package var body: AnswerBody?
    /// The body's type.
    package var contentType: String?

    private struct Field {
        let name: String
        let value: String
    }

    private var fields: [Field] = []

    private init(status: Int) {
        self.status = status
    }
}

extension RowAnswer {
    /// The response to `GET` and `HEAD`.
    ///
    /// - Parameters:
    ///   - rows: the rows of the range.
    ///   - total: the number of all rows, including rows outside the range, if they are counted.
    ///   - memory: the memory that all responses share.
    /// - Throws: `PGRST103` for an offset beyond the counted rows; `PGRST116` if one object is requested and there is
    ///   not exactly one row; as `RowWriter`.
    package static func read(
        _ rows: [SelectedRow], of total: Int64?, plan: RowPlan, range: RowRange, form: RowForm,
        preferences: RowPreferences, memory: AnswerMemory = .shared, address: @escaping RowWriter.Address
    ) throws(RowError) -> RowAnswer {
        if form == .object, rows.count != 1 { throw .notSingle(count: rows.count) }
        if let total, range.offset > total { throw .beyondEnd(offset: range.offset, count: total) }
        var answer = RowAnswer(status: total.map { rows.count < $0 } == true ? 206 : 200)
        answer.add("Content-Range", contentRange(from: range.offset, count: rows.count, total: total))
        answer.add("Preference-Applied", preferences.applied)
        try answer.fill(with: rows, RowWriter(plan, memory: memory, address: address), form)
        return answer
    }

    /// The kind of a change to rows.
    package enum Change: Hashable, Sendable {
        /// - Parameter isNew: whether there is a row that was not there before.
        case insertion(isNew: Bool)
        case update, deletion
    }

    /// The response to a change.
    ///
    /// - Parameters:
    ///   - rows: the changed rows, as far as they are returned.
    ///   - location: the location of the one inserted row.
    ///   - memory: the memory that all responses share.
    /// - Throws: `PGRST116` and `PGRST124`; as `RowWriter`. The change must then be rolled back.
    package static func changed(
        _ rows: [SelectedRow], by change: Change, plan: RowPlan, location: String? = nil, form: RowForm,
        preferences: RowPreferences, memory: AnswerMemory = .shared, address: @escaping RowWriter.Address
    ) throws(RowError) -> RowAnswer {
        try check(count: rows.count, form: form, preferences: preferences)
        let isFull = preferences.representation == .full
        let total = preferences.count == nil ? nil : Int64(rows.count)
        var answer: RowAnswer
        switch change {
        case .insertion(let isNew): answer = RowAnswer(status: isNew ? 201 : 200)
        case .update, .deletion: answer = RowAnswer(status: isFull ? 200 : 204)
        }
        if preferences.representation == .headers { answer.add("Location", location) }
        answer.add("Content-Range", contentRange(from: 0, count: change == .update ? rows.count : 0, total: total))
        answer.add("Preference-Applied", preferences.applied)
        if isFull { try answer.fill(with: rows, RowWriter(plan, memory: memory, address: address), form) }
        return answer
    }

    /// - Throws: `PGRST116` if one object is requested and there is not exactly one row; `PGRST124` if more rows than
    ///   allowed are affected.
    package static func check(count: Int, form: RowForm, preferences: RowPreferences) throws(RowError) {
        if form == .object, count != 1 { throw .notSingle(count: count) }
        if preferences.handling == .strict, let maximum = preferences.maximumAffected, count > maximum {
            throw .tooManyAffected(count: count)
        }
    }

    private mutating func fill(with rows: [SelectedRow], _ writer: RowWriter, _ form: RowForm) throws(RowError) {
        var writer = writer
        contentType = form.contentType
        switch form {
        case .csv: try writer.lines(for: rows)
        case .object: try writer.object(for: rows[0])
        case .array: try writer.array(of: rows)
        }
        body = try writer.finish()
    }

    private mutating func add(_ name: String, _ value: String?) {
        if let value { fields.append(Field(name: name, value: value)) }
    }

    /// `0-49/1234`, with `*` for no row and for an uncounted total.
    private static func contentRange(from first: Int64, count: Int, total: Int64?) -> String {
        let rows = count > 0 ? "\(first)-\(first + Int64(count) - 1)" : "*"
        return rows + "/" + (total.map { String($0) } ?? "*")
    }
}
