import Media

/// A cast of a column in the response, such as `version::text`.
struct ColumnCast: Hashable, Sendable {
    private enum Target: Hashable, Sendable {
        case type(ColumnType)
        /// A day, as text.
        case date
        /// A timestamp without its zone, as text.
        case localTime
        case decimal
    }

    private let target: Target

    /// - Throws: `42704` for a type that does not exist, `42846` for a cast that does not; `PGRST127`.
    init(from source: ColumnType, to name: String) throws(RowError) {
        target = try Self.target(named: name)
        let isAllowed =
            switch (source, target) {
            case (_, .type(.text)), (.text, _): true
            case (_, .type(let type)) where type == source: true
            case (.integer, .decimal), (.integer, .type(.boolean)), (.boolean, .type(.integer)): true
            case (.timestamp, .date), (.timestamp, .localTime): true
            default: false
            }
        guard isAllowed else {
            throw RowError(400, "42846", "cannot cast type \(source.name) to \(name)")
        }
    }

    private static func target(named name: String) throws(RowError) -> Target {
        switch name.lowercased() {
        case "text", "varchar", "character varying", "bpchar", "name", "citext": .type(.text)
        case "uuid": .type(.uuid)
        case "int", "int2", "int4", "int8", "integer", "bigint", "smallint": .type(.integer)
        case "bool", "boolean": .type(.boolean)
        case "timestamptz", "timestamp with time zone": .type(.timestamp)
        case "timestamp", "timestamp without time zone": .localTime
        case "date": .date
        case "numeric", "decimal", "float4", "float8", "real", "double precision": .decimal
        case "_text": .type(.texts)
        case "json", "jsonb", "_uuid", "bytea", "char", "time", "timetz", "interval", "money", "inet", "oid", "xml",
            "point", "tsvector", "bit":
            throw .notBuilt("Casts to \(name) are not built.")
        default: throw RowError(400, "42704", "type \"\(name)\" does not exist")
        }
    }

    /// The value in the other type, in the response's form.
    ///
    /// - Throws: `22P02` for a text that is not of the type.
    func apply(to value: RowValue) throws(RowError) -> JSON {
        guard let text = value.text else { return .null }
        switch target {
        case .type(let type): return try Self.value(value, text, as: type).json
        case .date: return .string(String(try Self.moment(value, text).postgresText.prefix { $0 != "T" }))
        case .localTime: return .string(String(try Self.moment(value, text).postgresText.dropLast(6)))
        case .decimal:
            guard let number = Double(text), number.isFinite else {
                throw RowError(400, "22P02", "invalid input syntax for type numeric: \"\(text)\"")
            }
            return Int64(text).map(JSON.integer) ?? .number(number)
        }
    }

    /// The value in the other type, as PostgreSQL writes it in a row; `nil` for null.
    ///
    /// - Throws: as `apply(to:)`.
    func text(of value: RowValue) throws(RowError) -> String? {
        guard let text = value.text else { return nil }
        switch target {
        case .type(let type): return try Self.value(value, text, as: type).outputText
        case .localTime: return RowValue.timestamp(try Self.moment(value, text)).text.map { String($0.dropLast(3)) }
        case .date, .decimal:
            let value = try apply(to: value)
            return value.string ?? value.text
        }
    }

    private static func value(_ value: RowValue, _ text: String, as type: ColumnType) throws(RowError) -> RowValue {
        switch (value, type) {
        case (.text, .text), (.uuid, .uuid), (.integer, .integer), (.boolean, .boolean), (.timestamp, .timestamp),
            (.texts, .texts):
            return value
        case (_, .text): return .text(text)
        case (.boolean(let isTrue), .integer): return .integer(isTrue ? 1 : 0)
        case (.integer(let number), .boolean): return .boolean(number != 0)
        default: return try type.value(of: text)
        }
    }

    private static func moment(_ value: RowValue, _ text: String) throws(RowError) -> Instant {
        if case .timestamp(let moment) = value { return moment }
        guard case .timestamp(let moment) = try ColumnType.timestamp.value(of: text) else {
            return Instant(microseconds: 0)
        }
        return moment
    }
}
