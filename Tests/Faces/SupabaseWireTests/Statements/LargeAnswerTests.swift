import Documents
import HTTPServing
import Media
import RowTables
import Supabase
import TestDeadline
import Testing

/// The bytes of large answers, and their memory.
@Suite(.deadline) struct LargeAnswerTests {
    private static let moment = RowValue.timestamp(Instant(microseconds: 0))

    private static func id(_ number: Int) -> RowValue { .uuid("00000000-0000-4000-8000-\(100_000_000_000 + number)") }

    private static func name(_ number: Int) -> String { "School \(number) " + String(repeating: "é", count: 1500) }

    /// Schools of more than 3,000 bytes each, of which the first one has shares.
    private static func database(schools: Int, shares: Int = 0, permission: String = "view") throws -> RowDatabase {
        try RowDatabase { tables in
            for number in 0..<schools {
                try tables.insert(
                    [id(number), id(0), .text(name(number)), moment, moment], into: .schools, owner: Sample.owner)
            }
            for number in 0..<shares {
                try tables.insert(
                    [id(number), id(number), id(0), .text(permission), moment], into: .documentShares,
                    owner: Sample.owner)
            }
        }
    }

    @Test("Pieces of an answer are its bytes in their order")
    func pieces() throws {
        let database = try Self.database(schools: 90)
        let answer = try database.answer("select=name&order=id", of: .schools)
        let objects = (0..<90).map { #"{"name": "\#(Self.name($0))"}"# }
        #expect(String(decoding: answer.bytes, as: UTF8.self) == "[\(objects.joined(separator: ", "))]")
        #expect(answer.byteCount == answer.bytes.count && answer.byteCount > 4 * AnswerBody.pieceByteCount)
        let lines = (0..<90).map { "\"\(Self.name($0))\"" }.joined(separator: "\n")
        #expect(try database.lines("select=name&order=id", of: .schools) == "name\n\(lines)")
    }

    @Test("A large relation within CSV has its quotes doubled")
    func quotes() throws {
        let permission = String(repeating: #"a"b\c"#, count: 100)
        let database = try Self.database(schools: 2, shares: 200, permission: permission)
        let query = #"select=id,s:document_shares("x\"y":permission),n:document_shares(count)&order=id"#
        let text = try database.lines(query.replacing(#"\""#, with: "%5C%22"), of: .schools)
        let object = "{\"\"x\\\\\"\"y\"\": \"\"\(String(repeating: #"a\\""b\\\\c"#, count: 100))\"\"}"
        let list = Array(repeating: object, count: 200).joined(separator: ", ")
        let (first, second) = (Self.id(0).text ?? "", Self.id(1).text ?? "")
        let expected =
            "id,s,n\n\(first),\"[\(list)]\",\"[{\"\"count\"\": 200}]\"\n\(second),[],\"[{\"\"count\"\": 0}]\""
        #expect(text == expected)
    }

    @Test("A small answer takes no memory of all answers; a large one has its share while it is there")
    func shares() throws {
        let database = try Self.database(schools: 90)
        let memory = AnswerMemory(byteCount: 1 << 20)
        let small = try database.answer("select=name&limit=10", of: .schools, memory: memory)
        #expect(memory.usedByteCount == 0 && small.byteCount > 30_000)
        var large: AnswerBody? = try database.answer("select=name", of: .schools, memory: memory)
        let byteCount = try #require(large?.byteCount)
        #expect(memory.usedByteCount > byteCount - AnswerBody.pieceByteCount)
        large = nil
        #expect(memory.usedByteCount == 0)
    }

    @Test("An answer that would take more memory than it leaves is refused, and small ones are not")
    func exhaustion() throws {
        let database = try Self.database(schools: 90)
        let memory = AnswerMemory(byteCount: 500 << 10)
        let held = try database.answer("select=name&limit=60", of: .schools, memory: memory)
        let used = memory.usedByteCount
        for query in ["select=name", "select=name&limit=89"] {
            let error = #expect(throws: RowError.self) { try database.answer(query, of: .schools, memory: memory) }
            #expect(error?.status == 503 && error?.code == "53400", "\(query)")
            #expect(memory.usedByteCount == used, "a refused answer has given its share back")
        }
        #expect(throws: Never.self) { try database.answer("select=name&limit=10", of: .schools, memory: memory) }
        withExtendedLifetime(held) {}
    }

    /// One person took 3.2 GB: names alone made 52 MB of few rows, and each member took 60 bytes more.
    @Test("Many short values of few rows are bounded as the bytes that they are")
    func names() throws {
        let database = try Self.database(schools: 1, shares: 300)
        let alias = String(repeating: "a", count: 25)
        func query(_ relations: Int) -> String {
            let columns = (0..<99).map { "\(alias)\($0):permission" }.joined(separator: ",")
            return "select=id," + (0..<relations).map { "d\($0):document_shares(\(columns))" }.joined(separator: ",")
        }
        let memory = AnswerMemory(byteCount: 128 << 20)
        let answer = try database.answer(query(10), of: .schools, memory: memory)
        #expect(answer.byteCount > 10 << 20 && answer.byteCount <= 16 << 20)
        // What the answer takes is little more than its bytes.
        #expect(memory.usedByteCount < answer.byteCount * 5 / 4)
        let used = memory.usedByteCount
        let error = #expect(throws: RowError.self) { try database.answer(query(15), of: .schools, memory: memory) }
        #expect(error?.code == "54000" && error?.message == "the answer would have more than 16 MiB")
        #expect(memory.usedByteCount == used)
    }

    @Test("Details of the server's own faults are not answered")
    func details() {
        let inner = RowError(503, "PGRST000", "Database connection error", details: "connection to server at 127.0.0.1")
        #expect(inner.json["details"] == .null && !inner.json.text.contains("127.0.0.1"))
        let outer = RowError(400, "PGRST100", "failed to parse", details: "unexpected end of input")
        #expect(outer.json["details"] == .string("unexpected end of input"))
    }
}
