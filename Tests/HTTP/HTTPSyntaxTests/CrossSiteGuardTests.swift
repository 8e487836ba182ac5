import HTTPSyntax
import TestDeadline
import Testing

@Suite("Requests that other sites' pages send", .deadline)
struct CrossSiteGuardTests {
    private static let link = [
        "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
    ]

    @Test(
        "Own pages pass, pages of others do not, and a program without a cookie need not say what it is",
        arguments: [
            // Headers; read, change by a cookie, change without one.
            (["Sec-Fetch-Site": "same-origin"], true, true, true), (["Sec-Fetch-Site": "none"], true, true, true),
            (["Sec-Fetch-Site": "same-site"], false, false, false),
            (["Sec-Fetch-Site": "cross-site"], false, false, false),
            (["Sec-Fetch-Site": "new-word"], false, false, false), ([:], true, false, true),
            (["Origin": "https://docs.example:8443"], true, true, true),
            (["Origin": "http://docs.example:8443"], true, true, true),
            (["Origin": "https://docs.example"], false, false, false),
            (["Origin": "https://evil.example"], false, false, false), (["Origin": "null"], false, false, false),
            (["Origin": ""], false, false, false), (["Origin": "ftp://docs.example:8443"], false, false, false),
            (["Sec-Fetch-Site": "cross-site", "Origin": "https://docs.example:8443"], false, false, false),
            (link, true, false, false),
            (link.merging(["Sec-Fetch-Dest": "iframe"]) { $1 }, false, false, false),
        ] as [([String: String], Bool, Bool, Bool)])
    func senders(fields: [String: String], read: Bool, change: Bool, changeWithout: Bool) {
        let headers = fields.map { HeaderField($0.key, $0.value) }
        let sites = CrossSiteGuard(host: "docs.example:8443")
        #expect(sites.admits(method: "GET", headers: headers, hasCookie: true) == read)
        for method in ["POST", "PUT", "PATCH", "DELETE", "TRACE"] {
            #expect(sites.admits(method: method, headers: headers, hasCookie: true) == change)
            #expect(sites.admits(method: method, headers: headers, hasCookie: false) == changeWithout)
        }
    }

    @Test(
        "A port that the scheme implies need not be stated",
        arguments: [
            ("docs.example", "https://docs.example", true), ("docs.example:443", "https://docs.example", true),
            ("docs.example", "http://docs.example:80", true), ("DOCS.example", "https://docs.EXAMPLE", true),
            ("docs.example:80", "https://docs.example", false), ("docs.example", "https://docs.example.evil", false),
            ("[::1]:8080", "http://[::1]:8080", true), ("", "https://docs.example", false),
        ])
    func ports(host: String, origin: String, passes: Bool) {
        let headers = [HeaderField("Origin", origin)]
        #expect(CrossSiteGuard(host: host).admits(method: "POST", headers: headers, hasCookie: true) == passes)
        #expect(!CrossSiteGuard(host: nil).admits(method: "POST", headers: headers, hasCookie: true))
    }

    @Test("A field that comes twice is a foreign page's")
    func repeated() {
        let sites = CrossSiteGuard(host: "docs.example")
        for name in ["Sec-Fetch-Site", "Origin"] {
            let value = name == "Origin" ? "https://docs.example" : "same-origin"
            let fields = [HeaderField(name, value), HeaderField(name, value)]
            #expect(!sites.admits(method: "POST", headers: fields, hasCookie: true))
            #expect(sites.admits(method: "POST", headers: [fields[0]], hasCookie: true))
        }
    }
}
