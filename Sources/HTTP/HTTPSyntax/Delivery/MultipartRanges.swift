/// The frame of an answer with several ranges, `multipart/byteranges` (RFC 9110, 14.6).
public struct MultipartRanges: Hashable, Sendable {
    /// A range with the text that is sent before it.
    public struct Part: Hashable, Sendable {
        /// Boundary, type and range, with the empty line.
        public let head: String
        /// The range within the whole representation.
        public let range: Range<Int64>
    }

    /// In the order of sending.
    public let parts: [Part]
    /// The text that ends the answer.
    public let tail: String
    /// The value of `Content-Type`.
    public let contentType: String
    /// The value of `Content-Length`: all heads, ranges and the tail.
    public let byteCount: Int64

    static let roughHeadByteCount: Int64 = 160

    /// A frame around ranges.
    ///
    /// - Parameters:
    ///   - type: the value of the representation's own `Content-Type`.
    ///   - boundary: random letters and digits, so that no file contains them.
    public init(_ ranges: [Range<Int64>], of byteCount: Int64, type: String, boundary: String) {
        parts = ranges.map { range in
            let field = DeliveryPlan.contentRange(range, of: byteCount)
            let head = "\r\n--\(boundary)\r\nContent-Type: \(type)\r\n\(field.name): \(field.value)\r\n\r\n"
            return Part(head: head, range: range)
        }
        tail = "\r\n--\(boundary)--\r\n"
        contentType = "multipart/byteranges; boundary=\(boundary)"
        self.byteCount = parts.reduce(Int64(tail.utf8.count)) { $0 + Int64($1.head.utf8.count) + Int64($1.range.count) }
    }
}
