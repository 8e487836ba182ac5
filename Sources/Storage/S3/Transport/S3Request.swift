/// A request about a bucket or one of its objects, before it is signed.
struct S3Request {
    var method: String
    /// `nil` for the bucket itself.
    var key: String?
    /// Names and values, not encoded.
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var body: S3Body?
    /// Whether the store may work for minutes before it answers.
    var mayTakeLong = false
    /// How long the caller waits, with all tries; `nil` for the client's own patience.
    var patience: Duration?
    /// The most bytes of a good answer.
    var limit = 4 << 20
    /// The root element of a good answer in XML; `nil` for an answer that is none.
    var root: String?

    init(_ method: String, _ key: String?) {
        self.method = method
        self.key = key
    }
}

/// An answer, whole.
struct S3Answer {
    let status: Int
    /// By names in lower case; of several of one name the last.
    let headers: [String: String]
    let body: [UInt8]
    /// The answer as XML, where the request names its root element.
    var root = XMLNode(name: "")

    var isGood: Bool { (200..<300).contains(status) }
}
