package import Database
internal import Media
package import Supabase

/// Tables in place of the views that rows are read from, so that a test can fill them freely.
package struct RowTables: Sendable {
    private let database: any SQLDatabase

    /// Makes the tables in an empty database.
    package init(_ database: any SQLDatabase) throws {
        self.database = database
        try database.write { session in
            for table in RowTable.all {
                var columns = table.columns.map { "\($0.name) \(Self.type(of: $0, session.dialect))" }
                for name in ["user_id", "object_id"] where table.index(of: name) == nil {
                    columns.append("\(name) \(Self.type(of: RowTable.Column(name, .uuid), session.dialect))")
                }
                try session.execute("CREATE TABLE \(table.view) (\(columns.joined(separator: ", ")))")
            }
        }
    }

    private static func type(of column: RowTable.Column, _ dialect: SQLDialect) -> String {
        switch (column.type, dialect) {
        case (.integer, _), (.timestamp, _): "BIGINT"
        case (.boolean, _): "BOOLEAN"
        case (.texts, .postgreSQL): #"TEXT[] COLLATE "C""#
        case (_, .postgreSQL): #"TEXT COLLATE "C""#
        case (_, .sqlite): "TEXT"
        }
    }

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - row: a value for each column of the table.
    /// - owner: the row's owner, if the table has no column for that.
    package func insert(_ row: [RowValue], into table: RowTable, owner: String) throws {
        try database.write { session in
            var parts: [SQLText] = zip(table.columns, row).map { column, value in
                switch (value, session.dialect) {
                case (.texts(let texts), .sqlite): "\(value: RowValue.texts(texts).json.text)"
                case (.texts, .postgreSQL): "CAST(\(value: value.text) AS text[])"
                case (.integer(let number), _): "\(value: number)"
                case (.timestamp(let moment), _): "\(value: moment.microseconds)"
                case (.boolean(let truth), _): "\(value: truth)"
                default: "\(value: value.text)"
                }
            }
            if table.index(of: "user_id") == nil { parts.append("\(value: owner)") }
            let values = SQLText.joined(parts + ["NULL"], by: ", ")
            try session.execute("INSERT INTO \(table.view) VALUES (\(values.text))", values.values)
        }
    }
}
