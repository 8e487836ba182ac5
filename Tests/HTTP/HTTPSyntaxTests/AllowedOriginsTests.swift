import HTTPSyntax
import TestDeadline
import Testing

@Suite("Origins whose pages may read answers", .deadline)
struct AllowedOriginsTests {
    private func admits(_ list: String, _ origins: String...) -> Bool? {
        AllowedOrigins(list).map { $0.origin(of: origins.map { HeaderField("Origin", $0) }) != nil }
    }

    @Test(
        "An origin is found as browsers write it",
        arguments: [
            ("https://app.example.org", "https://app.example.org"),
            ("HTTPS://App.Example.org", "https://app.example.org"),
            ("https://app.example.org:443", "https://app.example.org"), ("http://a.example:80", "http://a.example"),
            ("http://localhost:5173", "http://localhost:5173"), ("https://[::1]:8443", "https://[::1]:8443"),
            ("http://b.example,\thttps://a.example  ", "https://a.example"),
            ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        ])
    func found(list: String, origin: String) { #expect(admits(list, origin) == true) }

    @Test(
        "Another origin is not",
        arguments: [
            "http://app.example.org", "https://app.example.org:444", "https://app.example.org.",
            "https://app.example.orga",
            "https://evil.example", "null", "", "*", "https://APP.example.org", "https://app.example.org/",
            "https://app.example.org,https://evil.example",
        ])
    func missed(origin: String) { #expect(admits("https://app.example.org", origin) == false) }

    @Test("Two origins, or none, are no origin")
    func counts() {
        let app = "https://app.example.org"
        #expect(admits(app, app, app) == false && admits(app) == false && admits("", app) == false)
        #expect(AllowedOrigins("")?.isEmpty == true && AllowedOrigins(" , ")?.isEmpty == true)
    }

    @Test(
        "What is no origin is no list",
        arguments: [
            "*", "null", "app.example.org", "https://", "https://a/", "https://a/b", "https://a?b", "https://a#b",
            "https://u@a", "ftp://a", "https://a:0", "https://a:99999", "https://*.a", "https://a b",
            "https://bücher.example",
        ])
    func refused(list: String) { #expect(AllowedOrigins(list) == nil) }

    @Test("No answer allows credentials, and none allows all origins")
    func fields() throws {
        let origins = try #require(AllowedOrigins("https://app.example.org"))
        let all =
            origins.fields(for: "https://app.example.org")
            + origins.preflightFields(for: "https://app.example.org", [HeaderField]())
        #expect(!all.contains { $0.name.contains("Credentials") || $0.value == "*" })
    }
}
