import S3
import TestDeadline
import Testing

@Suite("Where a bucket is, and by which key", .deadline)
struct EndpointTests {
    @Test("A bucket stands in the path, or where the address says so in the host")
    func styles() throws {
        let path = try #require(S3Endpoint("http://127.0.0.1:8333/", bucket: "bucket", region: "r"))
        #expect(path.host == "127.0.0.1:8333" && path.path(of: "a b/ü") == "/bucket/a%20b/%C3%BC" && !path.isSecure)
        let host = try #require(S3Endpoint("https://{bucket}.s3.example.org:443", bucket: "bucket", region: "r"))
        #expect(host.host == "bucket.s3.example.org" && host.path(of: nil) == "/" && host.path(of: "a") == "/a")
        let amazon = try #require(S3Endpoint(nil, bucket: "bucket", region: "eu-central-1"))
        #expect(amazon.address == "https://bucket.s3.eu-central-1.amazonaws.com" && amazon.isBucketInHost)
        let dotted = try #require(S3Endpoint(nil, bucket: "my.bucket", region: "eu-central-1"))
        #expect(dotted.address == "https://s3.eu-central-1.amazonaws.com" && dotted.path(of: nil) == "/my.bucket")
        #expect(S3Endpoint("http://[::1]:80", bucket: "bucket", region: "r")?.host == "[::1]")
    }

    @Test(
        "What is no address or bucket is refused",
        arguments: [
            ("ftp://a", "bucket"), ("http://", "bucket"), ("http://a:0", "bucket"), ("http://a:x", "bucket"),
            ("http://a/b", "bucket"), ("http://u@a", "bucket"), ("http://a", "b"), ("http://a", "a/b"),
            ("http://a", "a..b"), ("http://a", "bücket"), ("http://a\r\nX: y", "bucket"), ("http://:80", "bucket"),
        ])
    func refused(address: String, bucket: String) {
        #expect(S3Endpoint(address, bucket: bucket, region: "r") == nil)
    }

    @Test("Keys come from the environment, or a profile of a file")
    func credentials() {
        let environment = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]
        #expect(S3Credentials(environment: environment)?.accessKey == "a")
        #expect(S3Credentials(environment: ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": ""]) == nil)
        let file = """
            # keys
            [default]
            aws_access_key_id = one
            aws_secret_access_key = x=y
            [ other ]
            AWS_ACCESS_KEY_ID=two
            aws_secret_access_key=z
            [broken]
            aws_access_key_id = three
            """
        #expect(S3Credentials(file: file, profile: "default")?.accessKey == "one")
        #expect(S3Credentials(file: file, profile: "other")?.accessKey == "two")
        #expect(S3Credentials(file: file, profile: "broken") == nil)
        #expect(S3Credentials(file: file, profile: "none") == nil)
    }
}
