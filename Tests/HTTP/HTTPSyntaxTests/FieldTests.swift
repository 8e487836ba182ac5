import HTTPSyntax
import Media
import TestDeadline
import Testing

@Suite("Fields of HTTP headers", .deadline)
struct FieldTests {
    @Test(
        "A content type is read with its parameters",
        arguments: [
            ("text/plain", "text/plain", nil), ("Text/Plain; Charset=\"UTF-8\"", "text/plain", "UTF-8"),
            ("text/plain;charset=utf-8;", "text/plain", "utf-8"),
            ("text/plain ; ; charset = \"a\\\"b\" ", "text/plain", "a\"b"),
            ("application/vnd.a+json; x=y", "application/vnd.a+json", nil),
        ] as [(String, String, String?)])
    func contentTypes(text: String, essence: String, charset: String?) throws {
        let type = try #require(ContentType(text))
        #expect(type.essence == essence && type.parameters["charset"] == charset)
        #expect(type.mediaType.rawValue == essence)
    }

    @Test(
        "What is no content type is refused",
        arguments: [
            "", "text", "text/", "/plain", "text/plain; charset", "text/plain; charset=\"a", "text/plain charset=a",
            "text/plain; charset=a; charset=b", "text/plain, text/html", "text/ plain",
        ])
    func noContentTypes(text: String) {
        #expect(ContentType(text) == nil)
    }

    @Test(
        "Entity tags are read as they are written",
        arguments: [
            ("\"abc\"", "\"abc\""), ("W/\"a b\"", nil), ("W/\"abc\"", "W/\"abc\""), ("\"\"", "\"\""), ("abc", nil),
            ("\"abc", nil),
            ("w/\"abc\"", nil), ("\"a\"b", nil), (" \"a\" ", "\"a\""), ("*", nil), ("\"\u{e9}\"", "\"\u{e9}\""),
        ])
    func entityTags(text: String, expected: String?) {
        #expect(EntityTag(parsing: text)?.text == expected)
    }

    @Test(
        "A disposition is safe for any name",
        arguments: [
            ("a.pdf", "attachment; filename=\"a.pdf\""),
            ("my file (1).pdf", "attachment; filename=\"my file (1).pdf\""),
            ("R\u{e9}sum\u{e9}.pdf", "attachment; filename=\"R_sum_.pdf\"; filename*=UTF-8''R%C3%A9sum%C3%A9.pdf"),
            ("a\"b\\c.pdf", "attachment; filename=\"a_b_c.pdf\"; filename*=UTF-8''a%22b_c.pdf"),
            ("100%41.pdf", "attachment; filename=\"100_41.pdf\"; filename*=UTF-8''100%2541.pdf"),
            ("a\r\nSet-Cookie: x", "attachment; filename=\"a__Set-Cookie_ x\""),
            ("../../etc/passwd", "attachment; filename=\"_.._etc_passwd\""),
            ("", "attachment; filename=\"file\""), ("...", "attachment; filename=\"file\""),
            (".htaccess", "attachment; filename=\"htaccess\""),
            ("\u{202E}fdp.exe", "attachment; filename=\"_fdp.exe\""), ("a\u{0}b", "attachment; filename=\"a_b\""),
            ("\u{1F600}", "attachment; filename=\"_\"; filename*=UTF-8''%F0%9F%98%80"),
            ("a'b*c;d,e.pdf", "attachment; filename=\"a'b*c;d,e.pdf\""),
        ])
    func dispositions(name: String, expected: String) {
        #expect(ContentDisposition.attachment(name).text == expected)
        #expect(ContentDisposition.inline(name).text == "inline" + expected.dropFirst("attachment".count))
    }

    @Test("A long name is cut, and keeps its extension")
    func longName() {
        let text = ContentDisposition.inline(String(repeating: "\u{e9}", count: 300) + ".pdf").text
        #expect(
            text.hasPrefix("inline; filename=\"\(String(repeating: "_", count: 98)).pdf\"; filename*=UTF-8''%C3%A9"))
        #expect(text.hasSuffix("%A9.pdf"))
        let joined = ContentDisposition.inline("e" + String(repeating: "\u{301}", count: 5000)).text
        #expect(joined.utf8.count < 1000)
    }

    @Test("A query string is decoded as browsers encode it")
    func query() throws {
        let items = try #require(QueryItems("a=1&b=x+y%2Bz&a=2&c&=d&e=%C3%A9&&f=100%&g=%zz&h=a=b"))
        #expect(items["a"] == "1" && items.values(of: "a") == ["1", "2"])
        #expect(items["b"] == "x y+z" && items["c"] == "" && items[""] == "d" && items["e"] == "\u{e9}")
        #expect(items["f"] == "100%" && items["g"] == "%zz" && items["h"] == "a=b" && items["i"] == nil)
        #expect(QueryItems("")?.items.isEmpty == true)
    }

    @Test("A query that is no text is refused", arguments: ["a=%FF", "%80=a", "a=%00", "a=%ED%A0%80"])
    func noQuery(text: String) {
        #expect(QueryItems(text) == nil)
    }

    @Test("Percent-encoding is undone by decoding")
    func percentEncoding() {
        let text = "a/b c?d=\u{e9}%\u{1F600}~"
        let encoded = PercentEncoding.encode(text)
        #expect(encoded == "a%2Fb%20c%3Fd%3D%C3%A9%25%F0%9F%98%80~")
        #expect(String(decoding: PercentEncoding.decode(encoded.utf8), as: UTF8.self) == text)
        #expect(PercentEncoding.encode("a/b", keeping: "/") == "a/b")
    }
}
