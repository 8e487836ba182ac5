import Media
import TestDeadline
import TestSupport
import Testing

@Suite("Limits of requests to the app's wire, and large answers", .deadline)
struct LimitedChangesTests {
    /// `DELETE …?limit=1` deleted every row that the filter matched.
    @Test("A change with a limit or an offset is refused; an order is that of its answer", .timeLimit(.minutes(1)))
    func changes() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let send = try Self.sender(documentd)
        #expect(try send("POST", "schools", #"[{"name": "A"}, {"name": "B"}, {"name": "C"}]"#).status == 201)
        for clause in ["limit=1", "limit=1&order=name", "offset=1", "limit=2&offset=1"] {
            for (method, body) in [("DELETE", nil), ("PATCH", #"{"name": "X"}"#)] {
                let answer = try send(method, "schools?name=in.(A,B)&\(clause)", body)
                #expect(answer.status == 400 && answer.code == "PGRST127", "\(method) \(clause): \(answer.text)")
            }
        }
        func names(_ answer: ServiceClient.Answer) -> String {
            (answer.json?.array ?? []).compactMap { $0["name"]?.string }.joined()
        }
        #expect(try names(send("GET", "schools?select=name&order=name", nil)) == "ABC")
        #expect(try names(send("DELETE", "schools?name=in.(A,C)&select=name&order=name.desc", nil)) == "CA")
    }

    @Test("A large answer arrives whole", .timeLimit(.minutes(1)))
    func largeAnswer() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let send = try Self.sender(documentd)
        let rows = (0..<1000).map { #"{"name": "School \#($0)"}"# }.joined(separator: ", ")
        #expect(try send("POST", "schools?columns=name", "[\(rows)]").status == 201)
        let answer = try send("GET", "schools?order=name", nil)
        #expect(answer.status == 200 && answer.json?.array?.count == 1000, "\(answer.text.prefix(200))")
        #expect(answer["content-length"] == "\(answer.text.utf8.count)" && answer.text.utf8.count > 128 << 10)
    }

    private static func sender(
        _ documentd: DocumentdProgram
    ) throws -> (_ method: String, _ path: String, _ json: String?) throws -> ServiceClient.Answer {
        let key = try CompassProgram.run(
            CompassProgram.built("documentd"), ["keys", "--anonymous", "--data", documentd.program.path("data")]
        ).lines[0]
        return { method, path, json in
            try documentd.client.send(
                method, "/rest/v1/\(path)",
                headers: ["apikey": key, "Content-Type": "application/json", "Prefer": "return=representation"],
                body: json.map { Array($0.utf8) })
        }
    }
}
