import HTTPSyntax
import TestDeadline
import Testing

@Suite("Addresses, proxies and hosts", .deadline)
struct OriginTests {
    @Test(
        "Addresses are read and written in their shortest form",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("::", "::"), ("::1", "::1"),
            ("2001:DB8::1", "2001:db8::1"),
            ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("1::", "1::"),
            ("1:0:3:4:5:6:7:8", "1:0:3:4:5:6:7:8"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:201", "192.0.2.1"),
            ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
        ])
    func addresses(text: String, expected: String) {
        #expect(IPAddress(text)?.text == expected)
        #expect(IPAddress(expected) == IPAddress(text))
    }

    @Test(
        "Other texts are no addresses",
        arguments: [
            "", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.+4", " 1.2.3.4", "1.2.3.4:80", "[::1]", ":::",
            "1:::2",
            "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "::1%eth0", "g::", "1:2:3:4:5:6:7::8",
            "1.2.3.4::", ":1::2",
            "::1:", "0x7f.0.0.1", "2130706433", "1:2:3:4:5:6:7:1.2.3.4",
        ])
    func noAddresses(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(
        "Addresses that belong to no public host are known, also inside others",
        arguments: [
            ("93.184.216.34", false), ("1.1.1.1", false), ("2606:4700::1111", false), ("64:ff9b::101:101", false),
            ("2002:101:101::1", false), ("172.32.0.1", false), ("0.0.0.0", true), ("10.1.2.3", true),
            ("100.64.0.1", true), ("127.0.0.1", true), ("169.254.169.254", true), ("172.31.255.255", true),
            ("192.168.0.1", true), ("224.0.0.1", true), ("255.255.255.255", true), ("::", true), ("::1", true),
            ("::ffff:10.0.0.1", true), ("::10.0.0.1", true), ("64:ff9b::a00:1", true), ("2002:a00:1::1", true),
            ("fc00::1", true), ("fe80::1", true), ("ff02::1", true), ("2001:db8::1", true), ("2001:0:1::1", true),
        ])
    func privateAddresses(text: String, isPrivate: Bool) throws {
        #expect(try #require(IPAddress(text)).isPrivate == isPrivate)
    }

    @Test(
        "A block holds the addresses that begin with its prefix",
        arguments: [
            ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.1.2.3/8", "10.9.9.9", true),
            ("192.0.2.128/25", "192.0.2.129", true), ("192.0.2.128/25", "192.0.2.127", false),
            ("0.0.0.0/0", "8.8.8.8", true),
            ("0.0.0.0/0", "::1", false), ("::/0", "8.8.8.8", false), ("2001:db8::/33", "2001:db8:7fff::1", true),
            ("2001:db8::/33", "2001:db8:8000::1", false), ("127.0.0.1", "::ffff:127.0.0.1", true), ("::1", "::1", true),
            ("127.0.0.1", "127.0.0.2", false), ("fe80::/10", "febf::1", true),
        ])
    func blocks(block: String, address: String, isInside: Bool) throws {
        #expect(try #require(AddressBlock(block)).contains(#require(IPAddress(address))) == isInside)
    }

    @Test(
        "Other texts are no blocks",
        arguments: ["", "/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/-1", "x/8"])
    func noBlocks(text: String) {
        #expect(AddressBlock(text) == nil)
        #expect(TrustedProxies("127.0.0.1, \(text)x") == nil)
    }

    @Test(
        "The client is the first hop that is no trusted proxy, from the right",
        arguments: [
            ("203.0.113.9", "198.51.100.1", "203.0.113.9"), ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
            ("10.0.0.1", "1.2.3.4, 198.51.100.1", "198.51.100.1"),
            ("10.0.0.1", "198.51.100.1, 10.0.0.2", "198.51.100.1"),
            ("10.0.0.1", "", "10.0.0.1"), ("10.0.0.1", "1.2.3.4, unknown, 10.0.0.2", "10.0.0.2"),
            ("10.0.0.1", "10.0.0.3,10.0.0.2", "10.0.0.3"), ("10.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
            ("10.0.0.1", "[2001:db8::5]:4711", "2001:db8::5"), ("::1", "2001:db8::5", "2001:db8::5"),
            ("10.0.0.1", "1.2.3.4, nonsense", "10.0.0.1"),
        ])
    func clients(peer: String, forwarded: String, client: String) throws {
        let proxies = try #require(TrustedProxies("10.0.0.0/8, ::1"))
        let fields = [
            HeaderField("X-Forwarded-For", forwarded), HeaderField("X-Forwarded-Proto", "HTTPS"),
            HeaderField("X-Forwarded-Host", "media.example:8443"), HeaderField("Forwarded", "for=9.9.9.9"),
        ]
        let origin = proxies.origin(peer: IPAddress(peer), headers: fields)
        #expect(origin.address?.text == client)
        let isProxy = peer != "203.0.113.9"
        #expect(origin.scheme == (isProxy ? "https" : nil) && origin.host == (isProxy ? "media.example:8443" : nil))
    }

    @Test(
        "Forwarded is read where the proxies write it",
        arguments: [
            ("for=198.51.100.1;proto=https;host=\"media.example:8443\"", "198.51.100.1", "https", "media.example:8443"),
            ("for=9.9.9.9;proto=http, for=\"[2001:db8::5]:4711\";Proto=https", "2001:db8::5", "https", nil),
            ("for=198.51.100.1, for=10.0.0.2;proto=https", "198.51.100.1", nil, nil),
            ("for=unknown;proto=https", "10.0.0.1", "https", nil),
            ("for=_hidden", "10.0.0.1", nil, nil), ("for=\"1.2.3.4", "10.0.0.1", nil, nil),
            ("for=1.1.1.1;for=2.2.2.2", "10.0.0.1", nil, nil),
            ("proto=gopher;for=198.51.100.1", "198.51.100.1", nil, nil), (",,;,", "10.0.0.1", nil, nil),
            ("for=198.51.100.1;host=\"a b\"", "198.51.100.1", nil, nil),
        ] as [(String, String, String?, String?)])
    func forwarded(value: String, client: String, scheme: String?, host: String?) throws {
        let proxies = try #require(TrustedProxies("10.0.0.0/8", field: .forwarded))
        let fields = [HeaderField("Forwarded", value), HeaderField("X-Forwarded-For", "9.9.9.9")]
        let origin = proxies.origin(peer: IPAddress("10.0.0.1"), headers: fields)
        #expect(origin.address?.text == client && origin.scheme == scheme && origin.host == host)
    }

    @Test(
        "Only loopback names with the service's port pass",
        arguments: [
            ("localhost:8080", true), ("LocalHost:8080", true), ("127.0.0.1:8080", true), ("127.8.9.1:8080", true),
            ("[::1]:8080", true),
            ("[::ffff:127.0.0.1]:8080", true), ("localhost", false), ("localhost:80", false), ("localhost:08080", true),
            ("localhost.evil.example:8080", false), ("evil.example:8080", false), ("evil.example", false),
            ("0.0.0.0:8080", false),
            ("[::]:8080", false), ("::1:8080", false), ("192.168.0.1:8080", false),
            ("127.0.0.1.evil.example:8080", false),
            ("localhost:8080@evil.example", false), ("", false), ("localhost:8080 ", false), ("2130706433:8080", false),
            ("127.1:8080", false),
        ])
    func hosts(host: String, passes: Bool) {
        let refusal = LoopbackGuard(port: 8080).refusal(method: "GET", host: host, headers: [HeaderField]())
        #expect(refusal == (passes ? nil : .foreignHost))
        let origin = [HeaderField("Origin", "http://\(host)")]
        let other = LoopbackGuard(port: 8080).refusal(method: "GET", host: "localhost:8080", headers: origin)
        #expect(other == (passes ? nil : .foreignOrigin))
    }

    @Test(
        "Pages of others do not pass, links on them do",
        arguments: [
            ("GET", ["Origin": "null"], false), ("POST", ["Origin": "https://localhost:8080"], false),
            ("POST", ["Origin": "http://localhost:8080"], true), ("GET", ["Origin": "http://localhost:3000"], false),
            ("GET", ["Sec-Fetch-Site": "cross-site"], false), ("GET", ["Sec-Fetch-Site": "same-site"], false),
            ("GET", ["Sec-Fetch-Site": "same-origin"], true), ("GET", ["Sec-Fetch-Site": "none"], true),
            (
                "GET", ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"],
                true
            ),
            ("GET", ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"], false),
            (
                "POST", ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"],
                false
            ),
            ("GET", [:], true),
        ] as [(String, [String: String], Bool)])
    func pages(method: String, fields: [String: String], passes: Bool) {
        let headers = fields.map { HeaderField($0.key, $0.value) }
        let guarding = LoopbackGuard(port: 8080)
        #expect(
            guarding.refusal(method: method, host: "localhost:8080", headers: headers)
                == (passes ? nil : .foreignOrigin))
        #expect(guarding.refusal(method: method, host: nil, headers: headers) == .foreignHost)
        #expect(LoopbackGuard(port: 80).refusal(method: method, host: "localhost", headers: [HeaderField]()) == nil)
    }
}
