import Matching
import TestDeadline
import Testing

@Suite("MarkupText", .deadline)
struct MarkupTextTests {
    @Test(
        "Markup becomes plain text",
        arguments: [
            ("<p>One</p><p>Two</p>", "One\n\nTwo"), ("a<br>b<BR/>c", "a\nb\nc"),
            ("<ul><li>a</li><li>b</ul>", "• a\n\n• b"),
            ("x<script>alert('</p>')</script>y", "xy"), ("x<SCRIPT >1<2</SCRIPT\n>y", "xy"),
            ("a<style>p{}</style>b", "ab"),
            ("<script src=x />a", "a"), ("<!-- <p>no</p> -->yes", "yes"),
            ("<a title=\"1 > 0\" href='x'>link</a>", "link"),
            ("1 < 2 && 3 > 2", "1 < 2 && 3 > 2"), ("List<String> and vector<int>", "List<String> and vector<int>"),
            ("Fish &amp; Chips &lt;3 &#233;&#xE9;&nbsp;&unknown;", "Fish & Chips <3 éé &unknown;"),
            ("&lt;p&gt;One&lt;/p&gt;&lt;script&gt;x&lt;/script&gt;", "One"), ("<o:p>x</o:p>", "x"),
            ("<script>never closed", ""), ("a <", "a <"), ("</", "</"), ("<p", ""), ("<![CDATA[a]]>", "a]]>"),
            ("a\u{0}b\u{1B}[31m\u{7F}", "ab[31m"), ("a\u{202E}b\u{200B}c\u{FEFF}\u{85}", "abc"),
            ("a\u{A0}\u{2003}b", "a b"),
            ("a\r\n\r\n\r\nb  c\t", "a\n\nb c"),
            ("a&#0;&#x202E;&#xD800;&#99999999999;&#x110000;&#xFFFF;&#31;b", "ab"),
            ("a&#xFEFF;b&#8203;c&#x200e;d&#x2060;e", "abcde"), ("a&#x2000;b&#8239;&#x3000;c&#160;d&#9;e", "a b c d e"),
            ("a\u{2009}b\u{205F}c\u{3000}d\u{1680}e", "a b c d e"), ("a&#8232;b&#10;c", "a\nb\nc"),
            ("&#146;&#150;&#x80;&#129;x", "’–€x"),
            ("&#; &#x; &#xG; &#+65; &#-1; &#٣;", "&#; &#x; &#xG; &#+65; &#-1; &#٣;"),
            ("&#x1F469;&#x200D;&#x1F469; ひらがな", "\u{1F469}\u{200D}\u{1F469} ひらがな"),
            ("👩‍👩‍👧 שלום", "👩‍👩‍👧 שלום"), ("", ""),
        ])
    func plain(markup: String, text: String) {
        #expect(MarkupText.plain(markup) == text)
    }

    @Test(
        "Hostile markup is read in time that grows with its length", .timeLimit(.minutes(1)),
        arguments: [
            "<", "<p", "<p \"", "<!--", "<script>", "&", "&lt;", "&#", "<li>", "</", "<a-", "\u{202E}", "<![CDATA[",
            "<x:", "&#x", "&#0", "&#xFEFF;", "\u{3000}",
        ])
    func hostile(part: String) {
        let plain = MarkupText.plain(String(repeating: part, count: 50_000))
        #expect(plain.utf8.count <= 50_000 * (part.utf8.count + 4))
    }
}

@Suite("CivilDay", .deadline)
struct CivilDayTests {
    @Test(
        "A day is its number and its text",
        arguments: ["1970-01-01", "2000-02-29", "2026-12-31", "0001-01-01", "9999-12-31", "1969-12-31"])
    func texts(text: String) throws {
        let day = try #require(CivilDay(text))
        #expect(day.text == text && CivilDay(number: day.number) == day)
    }

    @Test("Numbers count the days since 1970, over leap years")
    func numbers() {
        #expect(CivilDay("1970-01-01")?.number == 0 && CivilDay("2000-01-01")?.number == 10_957)
        #expect(CivilDay("2000-03-01")!.number - CivilDay("2000-02-28")!.number == 2)
        #expect(CivilDay("1900-03-01")!.number - CivilDay("1900-02-28")!.number == 1)
        #expect(CivilDay("2026-01-31T09:00:00+02:00") == CivilDay(year: 2026, month: 1, day: 31))
    }

    @Test(
        "Other texts are no days",
        arguments: [
            "", "2026", "2026-1-1", "2026-02-30", "2026-13-01", "2026-00-01", "2026-01-00", "0000-01-01", "2026-01-01x",
            "２０２６-01-01", "-001-01-01", "2026/01/01",
        ])
    func refused(text: String) {
        #expect(CivilDay(text) == nil)
    }

    @Test("A posting is open until its last day")
    func open() {
        var posting = Posting(source: "s", sourceID: "1", title: "Cook")
        #expect(posting.isOpen(on: CivilDay("2026-01-01")!))
        posting.expires = CivilDay("2026-01-01")
        #expect(posting.isOpen(on: CivilDay("2026-01-01")!) && !posting.isOpen(on: CivilDay("2026-01-02")!))
        #expect(posting.key < Posting.Key(source: "s", id: "2") && posting.key < Posting.Key(source: "t", id: "0"))
    }
}
