import Hashing
import Media
import S3
import StoreSupport
import TestDeadline
import TestSupport
import Testing

@Suite("Requests are signed as botocore signs them", .deadline)
struct SigningTests {
    /// Requests of random keys, queries, headers, hosts, regions and times, with botocore's signatures.
    private static func cases(_ count: Int) throws -> [JSON] {
        let script = "\(Checkout.folder)/Tests/Storage/S3Tests/signatures.py"
        return try StoreTools.run([script, "\(count)", "20"]).split(separator: "\n").map {
            try JSON(parsing: Array($0.utf8))
        }
    }

    private static func pairs(_ value: JSON?) -> [(name: String, value: String)] {
        (value?.array ?? []).map { ($0.array?[0].string ?? "", $0.array?[1].string ?? "") }
    }

    @Test("Headers and addresses of 3,000 random requests have botocore's signatures")
    func botocore() throws {
        let cases = try Self.cases(3000)
        #expect(cases.count == 3000)
        for test in cases {
            func text(_ name: String) throws -> String { try #require(test[name]?.string) }
            let isInHost = test["inHost"]?.bool == true
            let endpoint = try #require(
                S3Endpoint(
                    "\(test["secure"]?.bool == true ? "https" : "http")://\(isInHost ? "{bucket}." : "")\(try text("host"))",
                    bucket: try text("bucket"), region: try text("region")))
            let key = try text("key")
            #expect(try endpoint.address + endpoint.path(of: key) == text("url"))
            let signer = RequestSigner(
                S3Credentials(
                    accessKey: try text("access"), secretKey: try text("secret"), sessionToken: test["token"]?.string),
                region: endpoint.region)
            let time = SigningTime(seconds: try #require(test["seconds"]?.integer))
            let subject = RequestSigner.Subject(
                method: try text("method"), host: endpoint.host, path: endpoint.path(of: key),
                query: Self.pairs(test["query"]), headers: Self.pairs(test["headers"]))
            let headers = signer.headers(
                for: subject, digest: SHA256.digest(of: Array(try text("body").utf8)), at: time)
            let authorization = try text("authorization")
            #expect(headers.last?.name == "Authorization" && headers.last?.value == authorization, "\(test.text)")
            let reading = RequestSigner.Subject(
                method: "GET", host: subject.host, path: subject.path, query: subject.query, headers: [])
            let query = signer.presignedQuery(for: reading, seconds: try #require(test["expires"]?.int), at: time)
            let signature = try text("signature")
            #expect(query.hasSuffix("&X-Amz-Signature=\(signature)"), "\(test.text)")
        }
    }

    @Test("The example of Amazon's documentation has its signature")
    func example() {
        let signer = RequestSigner(
            S3Credentials(
                accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1")
        let subject = RequestSigner.Subject(
            method: "GET", host: "examplebucket.s3.amazonaws.com", path: "/test.txt", query: [],
            headers: [("Range", "bytes=0-9")])
        let time = SigningTime(seconds: 1_369_353_600)
        #expect(time.text == "20130524T000000Z")
        let headers = signer.headers(for: subject, digest: SHA256.digest(of: [UInt8]()), at: time)
        #expect(
            headers.last?.value.hasSuffix("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41") == true)
    }
}
