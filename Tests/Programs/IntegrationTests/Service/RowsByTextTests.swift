import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("Rows of documents by their texts", .deadline)
struct RowsByTextTests {
    private static let titles = [
        "Résumé 2025", "RESUME final", "100%_x", "a\\b_c", "say \"hi\" now", "it’s it's", "ﬁnal cut", "\u{212A}elvin",
        "straße abc", "İstanbul abc", "tennis 🎾 abc", "[brackets] *stars* ?", "e\u{301}te\u{301} 12345", "coach coach",
    ]
    private static let patterns = [
        "*resume*", "*r_sum*", "*RÉSUM*", "res*", "*100\\%*", "*%_x", "*a\\\\b*", "*\"hi\"*", "*it's*", "*fin*",
        "*kelvin*",
        "*KELVIN*", "*strasse*", "*straß*", "*STRASSE*", "*istan*", "*tanbul*", "*🎾 abc", "*[brackets]*", "*stars* ?",
        "*été*", "*12345*", "coach%coach", "*abc", "abc*", "*old words*", "*new words*", "*words*", "*zzz*",
    ]

    /// A filter at the top lets the index of trigrams find the rows; inside `or` every row is looked at.
    @Test(
        "A text is found in the same versions with the index and without, in those that lists hide too",
        .timeLimit(.minutes(2)))
    func index() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let key = try documentd.key()
        let file = try DocumentdTests.sample("page-1.pdf")
        for title in Self.titles {
            let query = "type=transcript&file_name=a.pdf&title=\(ServiceClient.encoded(title))&description=old%20words"
            let first = try documentd.client.send("POST", "/api/documents?\(query)", body: file)
            let id = try #require(first.data?["id"]?.string, "\(first.text)")
            let second = try documentd.client.send(
                "POST", "/api/documents/\(id)/versions?file_name=a.pdf&description=new%20words", body: file)
            #expect(second.status == 201, "\(second.text)")
        }
        func rows(_ query: String) throws -> [String] {
            let answer = try documentd.client.send(
                "GET", "/rest/v1/documents?select=id&order=id&\(query)", headers: ["apikey": key])
            return try #require(answer.json?.array, "\(query): \(answer.text)").compactMap { $0["id"]?.string }
        }
        var found = 0
        for pattern in Self.patterns {
            let quoted = pattern.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            for column in ["title", "description"] {
                for test in ["like", "ilike", "not.ilike"] {
                    let plain = try rows("\(column)=\(test).\(ServiceClient.encoded(pattern))")
                    let group = ServiceClient.encoded("(\(column).\(test).\"\(quoted)\",id.is.null)")
                    #expect(try rows("or=\(group)") == plain, "\(column) \(test) \(pattern)")
                    found += plain.count
                }
            }
        }
        #expect(found > 1000, "\(found)")
        for (pattern, count) in [("*old words*", 14), ("*new words*", 14), ("*words", 28)] {
            #expect(try rows("description=ilike.\(ServiceClient.encoded(pattern))").count == count, "\(pattern)")
        }
    }
}
