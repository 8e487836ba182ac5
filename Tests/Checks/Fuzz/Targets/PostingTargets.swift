import Matching
import Media

/// Files of postings, which anybody may offer to an operator.
enum PostingTargets {
    private static let today = CivilDay(year: 2026, month: 6, day: 15)!

    /// The first byte chooses the form of the rest.
    static func postings(_ bytes: [UInt8]) throws(Broken) {
        guard let first = bytes.first else { return }
        let form = PostingForm.allCases[Int(first) % PostingForm.allCases.count]
        let file = Array(bytes.dropFirst())
        let rows = PostingReader(source: "board", today: today).rows(file, as: form)
        try holds(
            PostingReader(source: "board", today: today).rows(file, as: form) == rows, "other rows the second time")
        // A row takes a bracket, a line or more, and is told of once; an empty file is no JSON.
        try holds(rows.count <= max(1, file.count), "\(rows.count) rows of \(file.count) bytes")
        var seen: Set<String> = []
        for row in rows {
            switch row {
            case .success(let posting):
                try holds(seen.insert(posting.sourceID).inserted, "two postings of one identity")
                try sound(posting)
            case .failure(let refusal):
                try holds(refusal.row > 0 && !refusal.message.isEmpty, "a refusal that names no row or reason")
            }
        }
        try markup(String(decoding: file, as: UTF8.self))
    }

    private static func sound(_ posting: Posting) throws(Broken) {
        let lines = [posting.sourceID, posting.title, posting.company, posting.location, posting.salary ?? ""]
        for line in lines {
            try holds(line.count <= PostingRules.longestValue, "a value of \(line.count) characters")
            try holds(!line.contains(where: \.isNewline) && isPlain(line), "a value that is no line: \(line)")
        }
        try holds(!posting.sourceID.isEmpty && posting.title.contains(where: \.isLetter), "a posting without a name")
        try holds(posting.source == "board", "a posting of another source")
        try holds(isPlain(posting.text), "a text that controls a terminal")
        // An item's bullet is longer than its tag.
        try holds(posting.text.utf8.count <= PostingRules.longestText * 2, "a text of \(posting.text.utf8.count) bytes")
        let days = [posting.posted, posting.expires].compactMap(\.self)
        try holds(days == days.sorted() && days.allSatisfy { CivilDay($0.text) == $0 }, "days that are none")
        if let url = posting.url?.lowercased() {
            try holds(url.hasPrefix("http://") || url.hasPrefix("https://"), "an address of another kind")
            try holds(
                url.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") }, "an address that ends an attribute")
        }
    }

    /// Text that has nothing but tags of HTML and no escaped ones has none of them left, and is the same once more.
    private static func markup(_ text: String) throws(Broken) {
        let tagged = text.filter { $0 != "&" }.replacing("<", with: "<p ")
        let plain = MarkupText.plain(tagged)
        try holds(!plain.utf8.contains(UInt8(ascii: "<")), "a tag that is left: \(plain)")
        try holds(isPlain(plain), "a text that controls a terminal")
        try holds(MarkupText.plain(plain).utf8.elementsEqual(plain.utf8), "a text that is another one once more")
        try holds(isPlain(MarkupText.plain(text)), "a text that controls a terminal")
    }

    /// Whether a text has no control but line breaks, and no sign that turns the direction of writing.
    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x0A: true
            case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: false
            default: true
            }
        }
    }
}

extension PostingTargets {
    static var files: [[UInt8]] {
        let lines = """
            {"id": "a-1", "title": "Line Cook", "company": "Harrow, Inc.", "location": "Austin, TX (Remote)", "posted": \
            "2026-06-01", "expires": "2026-07-01T00:00:00Z", "url": "https://example.org/a?b=1&c", "text": \
            "<p>Grill.</p><ul><li>Knives<script>x</script></ul>", "salary": "$20 an hour"}
            {"id": 7, "title": "Cook", "posted": "2026-02-30"}
            {"@type": "JobPosting", "@id": "x", "title": "&lt;b&gt;Cook&lt;/b&gt;"}
            {"id": "a-1", "title": "Cook", "url": "javascript:x"}
            """
        let table = """
            \u{FEFF}ID,Title,Company,Posted,URL,Description,remote\r
            a-1,"Line ""Grill"" Cook","Harrow, Inc.",2026-06-01,http://example.org,"Two
            lines",yes\r
            b,Cook,"broken"x,2027-06-01,ftp://x,,no
            """
        let linked = """
            {"@context": "https://schema.org", "@graph": [{"@type": ["Thing", "JobPosting"], "identifier": {"value": "a-1"},
             "title": "Line Cook", "hiringOrganization": {"name": "Harrow"}, "jobLocationType": "TELECOMMUTE",
             "jobLocation": [{"address": {"addressLocality": "Austin", "addressRegion": {"name": "TX"}}}], "datePosted":
             "2026-06-01", "validThrough": "2026-07-01", "description": "&lt;p&gt;Grill &amp;amp; &#x202E;knives&lt;/p&gt;",
             "baseSalary": {"currency": "USD", "value": {"minValue": 20, "maxValue": 25.5, "unitText": "HOUR"}}}]}
            """
        let page = """
            <html><!-- <p> --><SCRIPT type='application/ld+json'>//<![CDATA[
            \(linked)
            //]]></script><p title="1 > 0">no</p><script type="application/ld+json">{"a": </script>
            """
        // A quoted field, and a text, that are too long.
        let long = "id,title,text\na,Cook,\"" + String(repeating: "word, ", count: 22_000) + "\"\nb,Cook,short\n"
        return [(0, lines), (1, table), (2, linked), (3, page), (1, long)].map { [UInt8($0)] + $1.utf8 }
    }
}
