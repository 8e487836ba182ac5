import HTTPSyntax
import TestDeadline
import Testing

@Suite("Cookies", .deadline)
struct CookieTests {
    @Test("A cookie is written with the attributes that keep it to its host and from scripts")
    func text() {
        #expect(
            Cookie("a", "b", lifetime: .seconds(60), isSecure: true).text
                == "a=b; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure")
        #expect(
            Cookie("a", "", lifetime: .zero, isSecure: false).text == "a=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax")
    }

    @Test(
        "A cookie is read by its name, and only where it comes once",
        arguments: [
            (["a=b"], "b"), (["x=y; a=b; z=1"], "b"), (["x=y;a=b"], "b"), (["x=y", "a=b"], "b"), (["a=b=c"], "b=c"),
            ([], nil), (["a="], nil), (["A=b"], nil), (["aa=b"], nil), (["a=b; a=b"], nil), (["a=b", "a=c"], nil),
            (["; ;=;a"], nil),
        ] as [([String], String?)])
    func reading(fields: [String], value: String?) {
        #expect(fields.map { HeaderField("cookie", $0) }.cookie("a") == value)
    }
}
