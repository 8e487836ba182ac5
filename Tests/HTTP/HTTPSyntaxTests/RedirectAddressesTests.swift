import HTTPSyntax
import TestDeadline
import Testing

@Suite("Addresses to which people may come back", .deadline)
struct RedirectAddressesTests {
    @Test("An address is in the list byte by byte, whatever stands behind its mark")
    func including() throws {
        let list = try #require(RedirectAddresses("jobmatchnow://auth/callback, https://app.example.org/back?a=b"))
        for good in [
            "jobmatchnow://auth/callback", "jobmatchnow://auth/callback#", "jobmatchnow://auth/callback#x=y",
            "https://app.example.org/back?a=b",
        ] { #expect(list.includes(good), "\(good)") }
        for bad in [
            "", "#", "jobmatchnow://auth", "jobmatchnow://auth/callback/", "jobmatchnow://auth/callback/../x",
            "jobmatchnow://auth/callback?a=b", "jobmatchnow://AUTH/callback", "jobmatchnow:auth/callback",
            "evil://auth/callback", "jobmatchnow://auth/callback\n", "https://app.example.org/back",
            "https://app.example.org/back?a=b&c=d", "xjobmatchnow://auth/callback",
        ] { #expect(!list.includes(bad), "\(bad)") }
        #expect(RedirectAddresses("")?.includes("") == false)
    }

    @Test(
        "Other texts are no such list",
        arguments: [
            "*", "jobmatchnow://*", "jobmatchnow", "jobmatchnow:", "jobmatchnow://", "://auth", "1app://auth",
            "a b://c",
            "javascript:alert(1)", "app://auth#x", "app://user@host", "app://a\\b", "app://é", "äpp://auth",
            "https://app.example.org/ok, nothing",
        ])
    func refused(list: String) { #expect(RedirectAddresses(list) == nil) }
}
