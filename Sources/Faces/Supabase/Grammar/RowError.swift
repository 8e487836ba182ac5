internal import HTTPServing
package import Media

/// Why a request for rows fails: an HTTP status, and the body that PostgREST would send.
package struct RowError: Error, Hashable, Sendable {
    /// The HTTP status.
    package var status: Int
    /// A code of PostgREST (`PGRST100`) or an SQLSTATE (`22P02`).
    package var code: String
    /// One sentence for people who write queries.
    package var message: String
    /// The values in this request that the message is about. For the server's own faults (500 and above) they are only
    /// for the log.
    package var details: String?
    /// A suggestion for the caller.
    package var hint: String?

    /// An error of any code; common errors have names below.
    package init(_ status: Int, _ code: String, _ message: String, details: String? = nil, hint: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.hint = hint
    }

    /// The body. The details of the server's own faults can name its addresses and users, so they are left out.
    package var json: JSON {
        let publicDetails = status < 500 ? details : nil
        return .object([
            "code": .string(code), "message": .string(message), "details": publicDetails.map(JSON.string) ?? .null,
            "hint": hint.map(JSON.string) ?? .null,
        ])
    }
}

/// Invalid requests.
extension RowError {
    static func badQuery(_ message: String, details: String) -> RowError {
        RowError(400, "PGRST100", message, details: details)
    }

    static func badBody(_ message: String) -> RowError {
        RowError(400, "PGRST102", message)
    }

    static let negativeRange = RowError(
        416, "PGRST103", "Requested range not satisfiable",
        details: "Limit should be greater than or equal to zero.")

    static let reversedRange = RowError(
        416, "PGRST103", "Requested range not satisfiable",
        details: "The lower boundary must be lower than or equal to the upper boundary in the Range header.")

    static func beyondEnd(offset: Int64, count: Int64) -> RowError {
        RowError(
            416, "PGRST103", "Requested range not satisfiable",
            details: "An offset of \(offset) was requested, but there are only \(count) rows.")
    }

    static func unknownSchema(_ name: String) -> RowError {
        RowError(
            406, "PGRST106", "Invalid schema: \(name)", hint: "Only the following schemas are exposed: public")
    }

    static func notAcceptable(_ types: [String]) -> RowError {
        RowError(406, "PGRST107", "None of these media types are available: " + types.joined(separator: ", "))
    }

    static func notSelected(_ relation: String) -> RowError {
        RowError(
            400, "PGRST108", "'\(relation)' is not an embedded resource in this request",
            hint: "Verify that '\(relation)' is included in the 'select' query parameter.")
    }

    static func notSingle(count: Int) -> RowError {
        RowError(
            406, "PGRST116", "Cannot coerce the result to a single JSON object",
            details: "The result contains \(count) rows")
    }

    static func unsupportedMethod(_ method: String) -> RowError {
        RowError(405, "PGRST117", "Unsupported HTTP method: \(method)")
    }

    static func orderByMany(_ table: String, _ relation: String) -> RowError {
        RowError(
            400, "PGRST118", "A related order on '\(relation)' is not possible",
            details: "'\(table)' and '\(relation)' do not form a many-to-one or one-to-one relationship")
    }

    static func unknownPreferences(_ preferences: [String]) -> RowError {
        RowError(
            400, "PGRST122", "Invalid preferences given with handling=strict",
            details: "Invalid preferences: " + preferences.joined(separator: ", "))
    }

    static let aggregate = RowError(400, "PGRST123", "Use of aggregate functions is not allowed")

    static func tooManyAffected(count: Int) -> RowError {
        RowError(
            400, "PGRST124", "Query result exceeds max-affected preference constraint",
            details: "The query affects \(count) rows")
    }

    /// More rows in one write than a transaction may change while all other changes wait.
    static func tooManyRows(_ count: Int64) -> RowError {
        RowError(
            413, "54000", "A request can write at most \(RowCall.mostRows) rows",
            details: "This request would write \(count) rows.", hint: "Send several requests.")
    }

    static let clientLeft = RowError(499, "57014", "canceling statement due to user request")

    static let tooLong = RowError(500, "57014", "canceling statement due to statement timeout")

    /// More columns than a response may have.
    static func tooManyColumns(most: Int) -> RowError {
        RowError(400, "54011", "target lists can have at most \(most) entries")
    }

    /// More terms than an order may have.
    static func tooManyTerms(most: Int) -> RowError {
        RowError(400, "54000", "rows can be ordered by at most \(most) columns")
    }

    /// More relations than a query may select.
    static func tooManyRelations(most: Int) -> RowError {
        RowError(400, "54000", "a query can select at most \(most) relations")
    }

    /// More tests and values than a statement may have.
    static func tooManyTests(most: Int) -> RowError {
        RowError(400, "54001", "a query can have at most \(most) filters and values")
    }

    static let noUniqueKey = RowError(
        400, "42P10", "there is no unique or exclusion constraint matching the ON CONFLICT specification")

    static let affectedTwice = RowError(
        400, "21000", "ON CONFLICT DO UPDATE command cannot affect row a second time",
        hint: "Ensure that no rows proposed for insertion within the same command have duplicate constrained values.")

    static let tooComplex = RowError(400, "54001", "statement too complex", hint: "Use fewer levels of brackets.")

    /// More rows than a response may have.
    static func tooManyAnswered(most: Int) -> RowError {
        RowError(
            400, "54000", "the answer would have more than \(most) rows",
            details: "Rows within rows count each time. Select fewer of them, or a limit for each.")
    }

    /// More bytes than a response may have.
    static func tooLarge(most: Int) -> RowError {
        RowError(
            400, "54000", "the answer would have more than \(most >> 20) MiB", hint: "Select fewer columns, or a limit."
        )
    }

    /// Clients have yet to read so many large responses that there is no memory for another one.
    static let tooManyLargeAnswers = RowError(
        503, "53400", "too many large answers are being read; try again", hint: "Select fewer columns, or a limit.")

    /// Why the bytes of a response are not written.
    init(answer error: ServingError) {
        switch error {
        case .answerTooLarge(let limit): self = .tooLarge(most: limit)
        default: self = .tooManyLargeAnswers
        }
    }

    static let changeTooLong = RowError(
        500, "57014", "canceling statement due to statement timeout", hint: "Change fewer rows in one request.")

    /// - Parameter detail: for the log.
    static func unavailable(detail: String) -> RowError {
        RowError(503, "PGRST000", "Database connection error. Retrying the connection.", details: detail)
    }

    static let unknownPath = RowError(404, "PGRST125", "Invalid path specified in request URL")

    static func notBuilt(_ what: String) -> RowError {
        RowError(400, "PGRST127", "Feature not implemented", details: what)
    }
}

/// Unknown names.
extension RowError {
    static func noRelation(from table: String, to target: String, hint: String?) -> RowError {
        let using = hint.map { "' using the hint '\($0)" } ?? ""
        return RowError(
            400, "PGRST200", "Could not find a relationship between '\(table)' and '\(target)' in the schema cache",
            details: "Searched for a foreign key relationship between '\(table)' and '\(target)\(using)' in the schema "
                + "'public', but no matches were found.")
    }

    static func unknownFunction(_ name: String) -> RowError {
        RowError(
            404, "PGRST202", "Could not find the function public.\(name) without parameters in the schema cache",
            details: "Searched for the function public.\(name) without parameters, but no matches were found in the "
                + "schema cache.")
    }

    static func unknownBodyColumn(_ column: String, of table: String) -> RowError {
        RowError(400, "PGRST204", "Could not find the '\(column)' column of '\(table)' in the schema cache")
    }

    static func unknownTable(_ name: String) -> RowError {
        RowError(404, "PGRST205", "Could not find the table 'public.\(name)' in the schema cache")
    }

    static func unknownColumn(_ column: String, of table: String) -> RowError {
        RowError(400, "42703", "column \(table).\(column) does not exist")
    }
}
