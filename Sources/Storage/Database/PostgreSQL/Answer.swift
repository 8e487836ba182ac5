internal import CPQ

/// The server's answer to one statement.
final class Answer {
    private let result: OpaquePointer?

    /// - Parameter result: this object takes ownership.
    init(result: OpaquePointer?) { self.result = result }

    deinit { if let result { PQclear(result) } }

    var rowCount: Int { result.map { Int(PQntuples($0)) } ?? 0 }

    /// The number of rows that a change has affected.
    var changedCount: Int { result.flatMap { Int(String(cString: PQcmdTuples($0))) } ?? 0 }

    /// The command that was executed, such as `COMMIT`.
    var command: String { result.map { String(cString: PQcmdStatus($0)) } ?? "" }

    /// The refusal in a failed answer; `nil` if it has no code, as after a broken connection.
    var refusal: PostgreSQLError? {
        guard let result, let state = PQresultErrorField(result, PGDiagnostic.sqlState) else { return nil }
        let message = PQresultErrorField(result, PGDiagnostic.primaryMessage).map { String(cString: $0) } ?? ""
        return .refused(state: String(cString: state), message: message)
    }

    func row(_ index: Int) -> AnswerRow { AnswerRow(answer: self, index: Int32(index)) }

    /// One row of the answer. The server sends its columns as texts, which are parsed here.
    struct AnswerRow: SQLRow {
        fileprivate let answer: Answer
        fileprivate let index: Int32

        func isNull(_ column: Int) -> Bool { PQgetisnull(answer.result, index, Int32(column)) == 1 }

        func utf8(_ column: Int) -> UnsafeRawBufferPointer? {
            guard !isNull(column), let bytes = PQgetvalue(answer.result, index, Int32(column)) else { return nil }
            // Safe: the text has this many bytes, and stays valid until the answer is cleared.
            let count = Int(PQgetlength(answer.result, index, Int32(column)))
            return UnsafeRawBufferPointer(start: bytes, count: count)
        }

        func text(_ column: Int) -> String? { utf8(column).map { String(decoding: $0, as: UTF8.self) } }

        /// Numbers arrive as digits, Booleans as `t` and `f`.
        func integer(_ column: Int) -> Int64? {
            guard let bytes = utf8(column) else { return nil }
            switch bytes.count == 1 ? bytes[0] : 0 {
            case UInt8(ascii: "t"): return 1
            case UInt8(ascii: "f"): return 0
            default: return Int64(String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}

/// The error fields in use; libpq defines them as characters.
private enum PGDiagnostic {
    static let sqlState = Int32(UInt8(ascii: "C"))
    static let primaryMessage = Int32(UInt8(ascii: "M"))
}
