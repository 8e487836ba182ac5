import Matching
import Media
import TestDeadline
import Testing

@Suite("PostingReader", .deadline)
struct PostingReaderTests {
    private static let today = CivilDay("2026-06-15")!

    private func rows(_ text: String, _ form: PostingForm) -> [PostingReader.Row] {
        PostingReader(source: "board", today: Self.today).rows(Array(text.utf8), as: form)
    }

    private func postings(_ text: String, _ form: PostingForm) -> [Posting] {
        rows(text, form).compactMap { try? $0.get() }
    }

    private func refusals(_ text: String, _ form: PostingForm) -> [PostingRefusal] {
        rows(text, form).compactMap { row in
            if case .failure(let refusal) = row { refusal } else { nil }
        }
    }

    private static let whole = Posting(
        source: "board", sourceID: "a-1", title: "Line Cook", company: "Harrow, Inc.", location: "Austin, TX",
        isRemote: false, posted: CivilDay("2026-06-01"), expires: CivilDay("2026-07-01"),
        url: "https://example.org/a?b=1&c",
        text: "Grill.\n\n• Knives", salary: "$20 an hour")

    @Test("The same posting comes out of every form")
    func forms() {
        let lines = """
            {"id": "a-1", "title": "Line Cook", "company": "Harrow, Inc.", "location": "Austin, TX", "posted": "2026-06-01", \
            "expires": "2026-07-01T00:00:00Z", "url": "https://example.org/a?b=1&c", "text": "<p>Grill.</p><ul><li>Knives</ul>", \
            "salary": "$20 an hour"}
            """
        let csv = """
            ID,Title,Company,Location,Posted,Expires,URL,Description,Salary,extra\r
            a-1,Line Cook,"Harrow, Inc.","Austin, TX",2026-06-01,2026-07-01,https://example.org/a?b=1&c,"Grill.

            • Knives",$20 an hour,x\r
            """
        let linked = """
            {"@context": "https://schema.org", "@type": "JobPosting", "identifier": {"@type": "PropertyValue", "value": "a-1"},
             "title": "Line Cook", "hiringOrganization": {"@type": "Organization", "name": "Harrow, Inc."},
             "jobLocation": {"@type": "Place", "address": {"addressLocality": "Austin", "addressRegion": "TX"}},
             "datePosted": "2026-06-01", "validThrough": "2026-07-01", "url": "https://example.org/a?b=1&c",
             "description": "&lt;p&gt;Grill.&lt;/p&gt;&lt;ul&gt;&lt;li&gt;Knives&lt;/li&gt;&lt;/ul&gt;", "baseSalary": "$20 an hour"}
            """
        #expect(postings(lines, .jsonLines) == [Self.whole])
        #expect(postings(csv, .csv) == [Self.whole])
        #expect(postings(linked, .linkedData) == [Self.whole])
        #expect(postings(linked.split(separator: "\n").joined(separator: " "), .jsonLines) == [Self.whole])
        let page = "<html><SCRIPT type='application/ld+json'>\n\(linked)\n</script><p>no</p></html>"
        #expect(postings(page, .page) == [Self.whole])
    }

    @Test(
        "JSON-LD: alone, in arrays, graphs and lists; other types are passed over",
        arguments: [
            (#"{"@type": "JobPosting", "@id": "x", "title": "Cook"}"#, ["x"]),
            (#"[{"@type": ["Thing", "JobPosting"], "identifier": 7, "title": "Cook"}, {"@type": "Person"}]"#, ["7"]),
            (#"{"@graph": [{"@type": "https://schema.org/JobPosting", "identifier": "g", "name": "Cook"}]}"#, ["g"]),
            (
                #"{"@type": "ItemList", "itemListElement": [{"item": {"@type": "JobPosting", "identifier": "i", "title": "C"}}]}"#,
                ["i"]
            ), (#"[[[[[[[[[[{"@type": "JobPosting", "identifier": "deep", "title": "Cook"}]]]]]]]]]]"#, []), ("[]", []),
            (#"{"@type": "Recipe", "name": "Soup"}"#, []),
        ])
    func linkedData(text: String, ids: [String]) {
        #expect(postings(text, .linkedData).map(\.sourceID) == ids && refusals(text, .linkedData).isEmpty)
    }

    @Test("JSON-LD: remote work, places of several, amounts of pay")
    func linkedValues() throws {
        let posting = try #require(
            postings(
                #"""
                {"@type": "JobPosting", "identifier": "1", "title": "Cook", "jobLocationType": "TELECOMMUTE",
                 "applicantLocationRequirements": {"@type": "Country", "name": "USA"}, "baseSalary": {"currency": "USD",
                 "value": {"@type": "QuantitativeValue", "minValue": 90000, "maxValue": 120000.5, "unitText": "YEAR"}}}
                """#, .linkedData
            ).first)
        #expect(posting.isRemote && posting.location == "USA" && posting.salary == "USD 90000–120000.5 a year")
        let two = #"""
            {"@type": "JobPosting", "identifier": "2", "title": "Cook", "jobLocation": [{"address": {"addressLocality": "Leeds",
            "addressCountry": {"name": "UK"}}}, {"address": "York"}]}
            """#
        #expect(postings(two, .linkedData).first?.location == "Leeds, UK")
    }

    @Test("A script in a comment of the page is none, and hides nothing behind it; lines are counted through it")
    func commentedScripts() {
        func posting(_ id: String) -> String { #"{"@type": "JobPosting", "identifier": "\#(id)", "title": "Cook"}"# }
        func block(_ text: String) -> String { "<script type=\"application/ld+json\">\(text)</script>" }
        let page = """
            <!-- <script src="old.js"> --><!-->\(block(posting("1")))<!--->
            <!-- \(block(posting("2")))
            --><script>document.write("<!-- ")</script>\(block(posting("3")))
            \(block("{"))<!-- \(block(posting("4")))
            """
        #expect(postings(page, .page).map(\.sourceID) == ["1", "3"])
        #expect(refusals(page, .page) == [PostingRefusal(row: 4, reason: .notJSON)])
    }

    @Test("A page's blocks of JSON-LD are read, in comments and sections too; a broken one is refused by its line")
    func pages() {
        func posting(_ id: String) -> String {
            "{\"@type\": \"JobPosting\", \"identifier\": \"\(id)\", \"title\": \"Cook\"}"
        }
        let page = """
            <!doctype html><head><script>var x = "<p>"; if (a < b) {}</script>
            <script type="application/ld+json">\(posting("1"))</script>
            <script type="application/ld+json">//<![CDATA[
            \(posting("2"))
            //]]></script><script type="application/ld+json"><!-- \(posting("3")) --></script>
            <script type="application/ld+json">{"@type": "JobPosting",
            broken</script>
            <script type="application/ld+json">\(posting("4"))
            """
        #expect(postings(page, .page).map(\.sourceID) == ["1", "2", "3", "4"])
        #expect(refusals(page, .page) == [PostingRefusal(row: 7, reason: .notJSON)])
        #expect(rows("<p>No data</p>", .page).isEmpty && rows("<script", .page).isEmpty && rows("", .page).isEmpty)
    }

    @Test(
        "A row that is no posting is refused with its line and its reason, and the next ones are read",
        arguments: [
            ("{\"id\": \"1\"", nil, PostingRefusal.Reason.notJSON), ("[1]", nil, .notJSON), ("nonsense", nil, .notJSON),
            (#"{"title": "Cook"}"#, nil, .noID), (#"{"id": 1.5, "title": "Cook"}"#, nil, .noID),
            (#"{"id": 99999999999999999999, "title": "Cook"}"#, nil, .noID),
            (#"{"id": " ", "title": "Cook"}"#, nil, .noID),
            (#"{"id": "1"}"#, "1", .noTitle), (#"{"id": "1", "title": "<b></b>"}"#, "1", .noTitle),
            (#"{"id": "1", "title": "123 – \u0000"}"#, "1", .noTitle),
            ("{\"id\": \"1\", \"title\": \"\(String(repeating: "x", count: 201))\"}", "1", .longValue(key: "title")),
            (
                "{\"id\": \"1\", \"title\": \"x\", \"company\": \"e\(String(repeating: "\u{301}", count: 5_000))\"}",
                "1",
                .longValue(key: "company")
            ),
            (
                "{\"id\": \"1\", \"title\": \"x\", \"text\": \"\(String(repeating: "y", count: 100_001))\"}", "1",
                .longText
            ),
            (
                #"{"id": "1", "title": "x", "posted": "1970-01-01"}"#, "1",
                .unlikelyDay(key: "posted", value: "1970-01-01")
            ),
            (
                #"{"id": "1", "title": "x", "posted": "2100-01-01"}"#, "1",
                .unlikelyDay(key: "posted", value: "2100-01-01")
            ),
            (
                #"{"id": "1", "title": "x", "posted": "2026-06-17"}"#, "1",
                .unlikelyDay(key: "posted", value: "2026-06-17")
            ),
            (
                #"{"id": "1", "title": "x", "expires": "2100-01-01"}"#, "1",
                .unlikelyDay(key: "expires", value: "2100-01-01")
            ),
            (#"{"id": "1", "title": "x", "posted": "2026-02-30"}"#, "1", .notADay(key: "posted", value: "2026-02-30")),
            (#"{"id": "1", "title": "x", "posted": "06/01/2026"}"#, "1", .notADay(key: "posted", value: "06/01/2026")),
            (#"{"id": "1", "title": "x", "posted": "2026-06-01", "expires": "2026-05-01"}"#, "1", .endsBeforePosted),
            (#"{"id": "1", "title": "x", "url": "javascript:alert(1)"}"#, "1", .unsafeAddress),
            (#"{"id": "1", "title": "x", "url": "https://"}"#, "1", .unsafeAddress),
            (#"{"id": "1", "title": "x", "url": "https://a\"onclick="}"#, "1", .unsafeAddress),
            (#"{"id": "0", "title": "x"}"#, "0", .repeated),
        ])
    func refused(line: String, id: String?, reason: PostingRefusal.Reason) {
        let text = "{\"id\": \"0\", \"title\": \"First\"}\n\n\(line)\n{\"id\": \"9\", \"title\": \"Last\"}"
        #expect(refusals(text, .jsonLines) == [PostingRefusal(row: 3, sourceID: id, reason: reason)])
        #expect(postings(text, .jsonLines).map(\.sourceID) == ["0", "9"])
        #expect(!PostingRefusal(row: 3, reason: reason).message.isEmpty)
    }

    @Test("A row of over a megabyte, and bytes that are no UTF-8, are refused")
    func bytes() {
        let long = "{\"id\": \"1\", \"title\": \"\(String(repeating: "x", count: 1 << 20))\"}"
        #expect(refusals(long, .jsonLines).map(\.reason) == [.longRow])
        let reader = PostingReader(source: "board", today: Self.today)
        #expect(
            reader.rows([0x7B, 0xFF, 0xFE, 0x0A], as: .jsonLines) == [
                .failure(PostingRefusal(row: 1, reason: .notJSON))
            ])
        #expect(
            reader.rows([0xEF, 0xBB, 0xBF] + Array("{\"id\": 1, \"title\": \"x\"}".utf8), as: .jsonLines).count == 1)
        for form in PostingForm.allCases { _ = reader.rows([0, 0xFF, 0x22, 0x3C, 0x0A, 0x2C], as: form) }
    }

    @Test("CSV: a formula is a text, a column may be missing or come twice, broken quotes are refused")
    func csv() {
        let text = """
            id,title,title,company
            =1+1,"=cmd|' /C calc'!A0",other,@SUM(A1)
            2,Cook
            3,"Cook
            """
        #expect(postings(text, .csv).map(\.sourceID) == ["=1+1", "2"])
        #expect(postings(text, .csv)[0].title == "=cmd|' /C calc'!A0" && postings(text, .csv)[0].company == "@SUM(A1)")
        #expect(refusals(text, .csv) == [PostingRefusal(row: 4, reason: .brokenQuotes)])
        #expect(refusals("id,name\n1,x", .csv) == [PostingRefusal(row: 1, reason: .noColumn("title"))])
        #expect(rows("", .csv).isEmpty)
    }

    @Test("CSV: a quote that is not closed costs its row alone, and no line of its text becomes a posting")
    func openQuotes() {
        let rest = (5...4_000).map { "\($0),Cook,Harrow,Austin\n" }.joined()
        let text = """
            id,title,company,location
            1,Cook,A,B
            2,Cook,"Open
            first line
            second, of two
            3,Cook,C,D
            4,Cook,E,F

            """
        #expect(
            refusals(text + rest, .csv) == [
                PostingRefusal(row: 3, reason: .brokenQuotes), PostingRefusal(row: 5, reason: .brokenQuotes),
            ])
        #expect(postings(text + rest, .csv).map(\.sourceID) == ["1"] + (3...4_000).map { "\($0)" })
        // Rows may be shorter than the first.
        let short = "id,title,company,location\n1,Cook,A\n2,\"Cook,B\n3,Cook,C\n4,Cook,D\n"
        #expect(postings(short, .csv).map(\.sourceID) == ["1", "3", "4"])
    }

    @Test("Days may be moved together, from the newest of a file on")
    func delay() throws {
        let text = """
            {"id": "1", "title": "Cook", "posted": "2031-03-01", "expires": "2031-04-01"}
            {"id": "2", "title": "Cook", "posted": "2031-02-27"}
            {"id": "3", "title": "Cook"}
            """
        let newest = try #require(PostingReader.newestDay(in: Array(text.utf8), as: .jsonLines))
        #expect(newest == CivilDay("2031-03-01"))
        let reader = PostingReader(source: "s", today: Self.today, delay: Self.today.number - newest.number)
        let moved = try reader.rows(Array(text.utf8), as: .jsonLines).map { try $0.get() }
        #expect(moved.map { $0.posted?.text } == ["2026-06-15", "2026-06-13", nil])
        #expect(moved[0].expires?.text == "2026-07-16")
        #expect(PostingReader.newestDay(in: Array("{}".utf8), as: .jsonLines) == nil)
    }

    @Test(
        "Remote work is told by the field, the place or the title",
        arguments: [
            ("true", "", "Cook", true), ("TELECOMMUTE", "Austin", "Cook", true), ("", "Remote", "Cook", true),
            ("", "Austin, TX (Remote)", "Cook", true), ("", "", "Cook – Remote", true),
            ("", "", "Remote Sensing Analyst", false),
            ("no", "Remote", "Cook", false), ("", "Austin", "Cook", false), ("hybrid", "Austin", "Cook", false),
        ])
    func remote(field: String, location: String, title: String, isRemote: Bool) {
        let text = "{\"id\": \"1\", \"title\": \"\(title)\", \"location\": \"\(location)\", \"remote\": \"\(field)\"}"
        #expect(postings(text, .jsonLines).map(\.isRemote) == [isRemote])
    }

    @Test("An error of the taker ends the reading")
    func ending() {
        struct Full: Error {}
        var count = 0
        let bytes = Array("{\"id\": 1, \"title\": \"a\"}\n{\"id\": 2, \"title\": \"b\"}".utf8)
        #expect(throws: Full.self) {
            try PostingReader(source: "s", today: Self.today).read(bytes, as: .jsonLines) { _ throws(Full) in
                count += 1
                throw Full()
            }
        }
        #expect(count == 1)
    }

    @Test("The form of a file is told by its name's ending")
    func fileNames() {
        #expect(PostingForm(fileName: "a.b.JSONL") == .jsonLines && PostingForm(fileName: "x.csv") == .csv)
        #expect(PostingForm(fileName: "x.json") == .linkedData && PostingForm(fileName: "x.htm") == .page)
        #expect(PostingForm(fileName: "jsonl") == nil && PostingForm(fileName: "x.xlsx") == nil)
    }
}
