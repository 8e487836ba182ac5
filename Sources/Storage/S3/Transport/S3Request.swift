/// A request about a bucket or one of its objects, before it is signed.
struct S3Request {
    var method: String
    /// `nil` for the bucket itself.
    var key: String?
    /// The query's names and values, not encoded.
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var body: S3Body?
    /// Whether the store may work for minutes before it answers.
    var mayTakeLong = false
    /// How long the caller waits, including all retries; `nil` for the client's own patience.
    var patience: Duration?
    /// The maximum size of a successful answer in bytes.
    var limit = 4 << 20
    /// The root element of a successful XML answer; `nil` if the answer is not XML.
    var root: String?

    init(_ method: String, _ key: String?) {
        self.method = method
        self.key = key
    }
}

/// A complete answer.
struct S3Answer {
    let status: Int
    /// The header fields by lower-case name; of several with one name, the last.
    let headers: [String: String]
    let body: [UInt8]
    /// The answer as XML, if the request names its root element.
    var root = XMLNode(name: "")

    var isGood: Bool { (200..<300).contains(status) }
}
