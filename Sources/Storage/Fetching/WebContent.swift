public import Media

/// Content at an `https` address. It is read by ranges if the server supports them, otherwise whole.
///
/// The first answer states the content's length and version, and every further answer must state the same. If the
/// server sends no version, the whole content is read with one answer, because further answers could be of another
/// version.
public struct WebContent: FetchedContent {
    /// The length that the first answer states.
    public let byteCount: Int64
    /// A strong entity tag, or else what the server sends instead; `nil` if it sends nothing.
    public let version: String?
    private let transfer: WebTransfer
    /// The address after redirections.
    private let address: String
    /// The first bytes, or all bytes if the server does not support ranges.
    private let opening: [UInt8]

    /// The number of bytes that the first request asks for.
    private static let openingByteCount: Int64 = 64 << 10
    /// The maximum size of content that arrives in one answer.
    private static let mostWhole: Int64 = 64 << 20
    private static let mostRedirections = 5

    /// Opens the content, and reads its beginning.
    ///
    /// - Parameters:
    ///   - maxByteCount: larger content is refused.
    ///   - authorities: the file of trusted certificate authorities; `nil` for the system's.
    /// - Throws: `sourceMissing`, `tooLarge`, `unavailable`; `usage` for an address that is invalid or not allowed.
    public init(
        _ address: String, allowingPrivate: Bool, maxByteCount: Int64, authorities: String? = nil
    ) throws(Failure) {
        let transfer = try WebTransfer(allowsPrivate: allowingPrivate, authorities: authorities)
        var (address, redirections) = (address, 0)
        while true {
            let answer = try transfer.get(
                address, 0..<Self.openingByteCount, limit: min(Self.mostWhole, maxByteCount) + 1)
            if let next = answer.redirection {
                redirections += 1
                guard redirections <= Self.mostRedirections else {
                    throw Failure(.unavailable, message: "The address redirects in a loop.", detail: address)
                }
                address = try Self.resolved(next, against: address)
                continue
            }
            let place = try Self.place(of: answer, mostWhole: min(Self.mostWhole, maxByteCount))
            guard place.byteCount <= maxByteCount else {
                throw Failure(
                    .tooLarge, message: "File is over the limit of \(maxByteCount) bytes (setting max-source).",
                    detail: "\(place.byteCount) bytes")
            }
            byteCount = place.byteCount
            version = answer.version
            let isWhole = Int64(answer.body.count) == place.byteCount
            opening =
                isWhole || answer.version != nil
                ? answer.body : try Self.whole(of: address, byteCount: place.byteCount, by: transfer)
            break
        }
        self.transfer = transfer
        self.address = address
    }

    /// Requests the range, unless it came with the first answer.
    public func bytes(_ range: Range<Int64>) throws(Failure) -> (start: Int64, bytes: [UInt8]) {
        if range.upperBound <= Int64(opening.count) { return (0, opening) }
        let bytes = try Self.part(range, of: address, version: version, byteCount: byteCount, by: transfer)
        return (range.lowerBound, bytes)
    }

    /// All bytes of content without a version, with one request.
    private static func whole(
        of address: String, byteCount: Int64, by transfer: WebTransfer
    ) throws(Failure) -> [UInt8] {
        guard byteCount <= mostWhole else {
            throw Failure(
                .tooLarge,
                message: "The server gives no version for this file, which is over \(mostWhole) bytes.",
                detail: "\(byteCount) bytes")
        }
        return try part(0..<byteCount, of: address, version: nil, byteCount: byteCount, by: transfer)
    }

    /// Bytes of content whose version and length are known.
    private static func part(
        _ range: Range<Int64>, of address: String, version: String?, byteCount: Int64, by transfer: WebTransfer
    ) throws(Failure) -> [UInt8] {
        let answer = try transfer.get(address, range, limit: Int64(range.count))
        if [404, 410].contains(answer.status) { throw missing(answer.status) }
        guard answer.redirection == nil else { throw changed("a redirection") }
        // Some servers answer this way if a range covers everything.
        if answer.status == 200, range == 0..<byteCount, answer.version == version,
            Int64(answer.body.count) == byteCount
        {
            return answer.body
        }
        guard answer.status == 206 else { throw answer.failure }
        guard answer.version == version, let place = answer.contentRange, place.byteCount == byteCount else {
            throw changed("another version or length")
        }
        guard place.range == range, Int64(answer.body.count) == Int64(range.count) else {
            throw Failure(
                .unavailable, message: "The server sent other bytes than requested.",
                detail: "\(place.range), \(answer.body.count) bytes, in place of \(range)")
        }
        return answer.body
    }

    /// The length of the whole content, from the first answer, which may contain all of it.
    private static func place(of answer: WebAnswer, mostWhole: Int64) throws(Failure) -> (byteCount: Int64, Void) {
        switch answer.status {
        case 206:
            guard let place = answer.contentRange, place.range.lowerBound == 0,
                Int64(answer.body.count) == place.range.upperBound,
                place.range.upperBound == min(openingByteCount, place.byteCount)
            else {
                throw Failure(
                    .unavailable, message: "The server sent other bytes than requested.",
                    detail: "\(answer.body.count) bytes, Content-Range: \(answer.headers["content-range"] ?? "none")")
            }
            return (place.byteCount, ())
        case 200:
            guard Int64(answer.body.count) <= mostWhole else {
                throw Failure(
                    .tooLarge, message: "The server does not support ranges, and this file is over \(mostWhole) bytes.")
            }
            return (Int64(answer.body.count), ())
        // An empty file has no bytes in any range.
        case 416 where answer.headers["content-range"] == "bytes */0": return (0, ())
        case 404, 410: throw missing(answer.status)
        default: throw answer.failure
        }
    }

    /// The address of a redirection, which may be relative.
    private static func resolved(_ text: String, against base: String) throws(Failure) -> String {
        let next: String
        let hostEnd = base.dropFirst("https://".count).firstIndex { "/?#".contains($0) } ?? base.endIndex
        if text.hasPrefix("//") {
            next = "https:" + text
        } else if text.hasPrefix("/") {
            next = base[..<hostEnd] + text
        } else if text.contains("://") {
            next = text
        } else {
            let path = base.prefix { $0 != "?" && $0 != "#" }
            let folder = path[..<(path.lastIndex(of: "/").map { $0 > hostEnd ? $0 : hostEnd } ?? hostEnd)]
            next = folder + "/" + text
        }
        guard next.hasPrefix("https://") else {
            throw Failure(
                .unavailable, message: "The address redirects to one without https, which is not followed.",
                detail: next)
        }
        return next
    }

    private static func missing(_ status: Int) -> Failure {
        Failure(.sourceMissing, message: "File not found. Check the address.", detail: "HTTP \(status)")
    }

    private static func changed(_ what: String) -> Failure {
        Failure(
            .unavailable, message: "File changed while it was being read. Try again when it is complete.", detail: what)
    }
}
