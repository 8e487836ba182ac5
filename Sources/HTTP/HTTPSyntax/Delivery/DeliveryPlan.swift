/// The answer to a request for a representation, after its conditions and ranges (RFC 9110, 13.2.2).
public enum DeliveryPlan: Hashable, Sendable {
    /// 200 with all bytes.
    case whole
    /// 206 with one range.
    case part(Range<Int64>)
    /// 206 with several ranges as `multipart/byteranges`: ascending and disjoint.
    case parts([Range<Int64>])
    /// 304: the client has these bytes.
    case notModified
    /// 412: a condition does not hold.
    case preconditionFailed
    /// 416: no range lies within the representation.
    case unsatisfiable

    /// Decides from a request's fields.
    ///
    /// Ranges apply only to GET. A range field with an error is ignored, as in S3; so are ranges that together save
    /// nothing.
    /// - Parameter method: in capital letters; for methods other than GET and HEAD only the conditions count.
    public init(method: String, headers: some HeaderReading, representation: Representation) {
        let isRead = method == "GET" || method == "HEAD"
        if let failure = Self.failedCondition(headers, representation, isRead: isRead) {
            self = failure
        } else if method == "GET", let text = headers.single("Range"), representation.byteCount > 0,
            Self.mayDivide(headers, representation), let ranges = ByteRanges(text)
        {
            self.init(ranges.satisfiable(within: representation.byteCount), of: representation.byteCount)
        } else {
            self = .whole
        }
    }

    private init(_ ranges: [Range<Int64>], of byteCount: Int64) {
        let sum = ranges.reduce(0) { $0 + Int64($1.count) }
        switch ranges.count {
        case 0: self = .unsatisfiable
        case 1: self = .part(ranges[0])
        case 2...16 where sum < byteCount - Int64(ranges.count) * MultipartRanges.roughHeadByteCount:
            self = .parts(ranges)
        default: self = .whole
        }
    }

    /// The first condition that fails, in their order of precedence; `nil` if all hold.
    private static func failedCondition(
        _ headers: some HeaderReading, _ representation: Representation, isRead: Bool
    ) -> DeliveryPlan? {
        if let text = headers.list("If-Match") {
            guard matches(text, representation, { $0.equalsStrongly($1) }) else { return .preconditionFailed }
        } else if let date = headers.single("If-Unmodified-Since").flatMap({ HTTPDate($0) }),
            let modified = representation.modified, modified > date
        {
            return .preconditionFailed
        }
        if let text = headers.list("If-None-Match") {
            guard matches(text, representation, { $0.equalsWeakly($1) }) else { return nil }
            return isRead ? .notModified : .preconditionFailed
        }
        if isRead, let date = headers.single("If-Modified-Since").flatMap({ HTTPDate($0) }),
            let modified = representation.modified, modified <= date
        {
            return .notModified
        }
        return nil
    }

    private static func matches(
        _ text: String, _ representation: Representation, _ areEqual: (EntityTag, EntityTag) -> Bool
    ) -> Bool {
        switch EntityTagList(text) {
        case .any: true
        case .tags(let tags): representation.entityTag.map { own in tags.contains { areEqual($0, own) } } ?? false
        }
    }

    /// Whether `If-Range` allows a part: it is absent, or states exactly this representation.
    private static func mayDivide(_ headers: some HeaderReading, _ representation: Representation) -> Bool {
        guard let text = headers.list("If-Range") else { return true }
        if let tag = EntityTag(parsing: text) {
            return representation.entityTag.map(tag.equalsStrongly) ?? false
        }
        guard let date = HTTPDate(text) else { return false }
        return date == representation.modified
    }
}

extension DeliveryPlan {
    /// The status code.
    public var status: Int {
        switch self {
        case .whole: 200
        case .part, .parts: 206
        case .notModified: 304
        case .preconditionFailed: 412
        case .unsatisfiable: 416
        }
    }

    /// The bytes of the representation to send, in order; several ranges only if they go into `MultipartRanges`.
    public func ranges(of representation: Representation) -> [Range<Int64>] {
        switch self {
        case .whole: [0..<representation.byteCount]
        case .part(let range): [range]
        case .parts(let ranges): ranges
        case .notModified, .preconditionFailed, .unsatisfiable: []
        }
    }

    /// The fields for validity and ranges; length, type and caching are up to the caller.
    public func fields(of representation: Representation) -> [HeaderField] {
        var fields: [HeaderField] = []
        switch self {
        case .preconditionFailed: return []
        case .unsatisfiable: return [HeaderField("Content-Range", "bytes */\(representation.byteCount)")]
        case .part(let range): fields.append(Self.contentRange(range, of: representation.byteCount))
        case .whole, .parts, .notModified: break
        }
        if self != .notModified { fields.append(HeaderField("Accept-Ranges", "bytes")) }
        if let tag = representation.entityTag { fields.append(HeaderField("ETag", tag.text)) }
        if let date = representation.modified { fields.append(HeaderField("Last-Modified", date.text)) }
        return fields
    }

    static func contentRange(_ range: Range<Int64>, of byteCount: Int64) -> HeaderField {
        HeaderField("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(byteCount)")
    }
}
