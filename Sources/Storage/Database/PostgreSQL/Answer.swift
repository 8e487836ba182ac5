internal import CPQ

/// What the server answered to one statement.
final class Answer {
    private let result: OpaquePointer?

    /// - Parameter result: owned from now on.
    init(result: OpaquePointer?) { self.result = result }

    deinit { if let result { PQclear(result) } }

    var rowCount: Int { result.map { Int(PQntuples($0)) } ?? 0 }

    /// The number of rows that a change has touched.
    var changedCount: Int { result.flatMap { Int(String(cString: PQcmdTuples($0))) } ?? 0 }

    /// What was carried out, as `COMMIT`.
    var command: String { result.map { String(cString: PQcmdStatus($0)) } ?? "" }

    /// The refusal in an answer of failure; `nil` where it names no code, as after a broken connection.
    var refusal: PostgreSQLError? {
        guard let result, let state = PQresultErrorField(result, PGDiagnostic.sqlState) else { return nil }
        let message = PQresultErrorField(result, PGDiagnostic.primaryMessage).map { String(cString: $0) } ?? ""
        return .refused(state: String(cString: state), message: message)
    }

    func row(_ index: Int) -> AnswerRow { AnswerRow(answer: self, index: Int32(index)) }

    /// Its columns as the server sent them: texts, which are read here.
    struct AnswerRow: SQLRow {
        fileprivate let answer: Answer
        fileprivate let index: Int32

        func isNull(_ column: Int) -> Bool { PQgetisnull(answer.result, index, Int32(column)) == 1 }

        func utf8(_ column: Int) -> UnsafeRawBufferPointer? {
            guard !isNull(column), let bytes = PQgetvalue(answer.result, index, Int32(column)) else { return nil }
            // Sound: the text has so many bytes, and stays until the answer is cleared.
            let count = Int(PQgetlength(answer.result, index, Int32(column)))
            return UnsafeRawBufferPointer(start: bytes, count: count)
        }

        func text(_ column: Int) -> String? { utf8(column).map { String(decoding: $0, as: UTF8.self) } }

        /// Numbers come as digits, truth values as `t` and `f`.
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

/// The fields of an error that are read; libpq has them as characters.
private enum PGDiagnostic {
    static let sqlState = Int32(UInt8(ascii: "C"))
    static let primaryMessage = Int32(UInt8(ascii: "M"))
}
