import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("Several rows of one request of the app's wire", .deadline)
struct RowsOfOneRequestTests {
    @Test("Either all rows of a request are written, or none")
    func allOrNone() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let key = try CompassProgram.run(
            CompassProgram.built("documentd"), ["keys", "--anonymous", "--data", documentd.program.path("data")]
        ).lines[0]
        func send(_ method: String, _ path: String, _ json: String? = nil, prefer: String = "return=representation")
            throws -> ServiceClient.Answer
        {
            try documentd.client.send(
                method, "/rest/v1/\(path)",
                headers: ["apikey": key, "Content-Type": "application/json", "Prefer": prefer],
                body: json.map { Array($0.utf8) })
        }
        func names() throws -> [String] {
            try send("GET", "schools?select=name&order=name").json?.array?.compactMap { $0["name"]?.string } ?? []
        }
        let good = try send("POST", "schools", #"[{"name": "A"}, {"name": "B"}]"#)
        #expect(good.status == 201 && good.json?.array?.count == 2, "\(good.text)")
        // The third one's name is taken.
        let taken = try send("POST", "schools", #"[{"name": "C"}, {"name": "D"}, {"name": "a"}]"#)
        #expect(taken.status == 409, "\(taken.text)")
        #expect(try names() == ["A", "B"])
        // The second of two schools would get the first one's new name.
        let renamed = try send("PATCH", "schools?name=in.(A,B)", #"{"name": "Z"}"#)
        #expect(renamed.status == 409, "\(renamed.text)")
        #expect(try names() == ["A", "B"])
        // Of a document with a bad row behind it nothing stays, and its file can be used again.
        let document = try documentd.upload("page-1.pdf", as: "transcript")["id"]!.string!
        let school = try #require(good.json?.array?[0]["id"]?.string)
        let shares = try send(
            "POST", "document_shares",
            #"[{"document_id": "\#(document)", "school_id": "\#(school)"}, {"document_id": "\#(document)", "school_id": null}]"#
        )
        #expect(shares.status == 400, "\(shares.text)")
        #expect(try send("GET", "document_shares").json == .array([]))
        let all = try send("DELETE", "schools?name=in.(A,B)")
        #expect(all.status == 200 && all.json?.array?.count == 2, "\(all.text)")
        #expect(try names() == [])
    }
}
