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

    var isGood: Bool { (200..<300).contains(status) }
}
