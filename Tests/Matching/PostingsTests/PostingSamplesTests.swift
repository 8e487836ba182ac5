import Foundation
import Matching
import TestDeadline
import TestSupport
import Testing

@Suite("The sample postings", .deadline)
struct PostingSamplesTests {
    @Test(
        "Every row of every file is read, without markup and with its day",
        arguments: ["board.jsonl", "staffing.csv", "employers.jsonld", "careers.html"])
    func files(name: String) throws {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("jobs/postings/\(name)"))))
        let form = try #require(PostingForm(fileName: name))
        let rows = PostingReader(source: "samples", today: CivilDay("2026-11-20")!).rows(bytes, as: form)
        #expect(rows.count >= 6)
        for row in rows {
            let posting = try row.get()
            #expect(!posting.text.contains("<") && !posting.text.contains("track(") && posting.text.contains("• "))
            #expect(posting.posted != nil && !posting.company.isEmpty && posting.url?.hasPrefix("https://") == true)
            #expect(!posting.location.isEmpty || posting.isRemote)
        }
    }
}
