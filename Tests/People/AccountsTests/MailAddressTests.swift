import People
import TestDeadline
import Testing

@Suite(.deadline) struct MailAddressTests {
    @Test(arguments: [
        ("ada@example.org", "ada@example.org"), ("  Ada@Example.ORG ", "ada@example.org"),
        ("a.b+c@mail.example.org", "a.b+c@mail.example.org"), ("a@xn--bcher-kva.example", "a@xn--bcher-kva.example"),
    ])
    func anAddressIsFoundByOneForm(typed: String, form: String) {
        #expect(MailAddress(typed)?.text == form)
    }

    @Test(arguments: [
        "", "ada", "@example.org", "ada@", "ada@example", "a@b@example.org", "\u{430}da@example.org",
        "ada@ex\u{0430}mple.org", "a da@example.org", "ada\n@example.org", "ada@example.org\u{0}", "a..b@example.org",
        ".a@example.org", "ada@example..org", "\u{212A}@example.org", "ada@example.org\u{200B}",
        String(repeating: "a", count: 65) + "@example.org", String(repeating: "a", count: 1_000_000) + "@example.org",
    ])
    func lookAlikesAndMalformedAddressesAreRefused(typed: String) {
        #expect(MailAddress(typed) == nil)
    }
}
