public import Media

/// The media types that a client accepts, with the qualities in `Accept` (RFC 9110, 12.5.1).
public struct AcceptedTypes: Sendable {
    private var ranges: [TypeRange] = []
    private let isStated: Bool

    private struct TypeRange {
        let type: String
        let subtype: String
        /// In thousandths.
        let quality: Int

        /// 3 for the type itself, 2 for `type/*`, 1 for `*/*`, 0 for others.
        func precision(of type: String, _ subtype: String) -> Int {
            switch (self.type, self.subtype) {
            case (type, subtype): 3
            case (type, "*"): 2
            case ("*", "*"): 1
            default: 0
            }
        }
    }

    /// Reads the field of a request; a request without it accepts everything, and elements with errors are skipped.
    public init(_ headers: some HeaderReading) {
        guard let text = headers.list("Accept") else {
            isStated = false
            return
        }
        isStated = true
        // Commas inside quotes do not occur in media types in practice.
        ranges = text.split(separator: ",").prefix(64).compactMap { Self.range(String($0)) }
    }

    private static func range(_ text: String) -> TypeRange? {
        guard let value = ContentType(text) else { return nil }
        let parts = value.essence.split(separator: "/", maxSplits: 1)
        guard let quality = value.parameters["q"].map(quality) ?? 1000, parts.count == 2 else { return nil }
        return TypeRange(type: String(parts[0]), subtype: String(parts[1]), quality: quality)
    }

    /// `0`, `0.5`, `1.000` in thousandths.
    private static func quality(_ text: String) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts[0] == "0" || parts[0] == "1" else { return nil }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard fraction.utf8.count <= 3, fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let thousandths = Int(fraction + String(repeating: "0", count: 3 - fraction.utf8.count))!
        let quality = Int(parts[0])! * 1000 + thousandths
        return quality <= 1000 ? quality : nil
    }

    /// From 0, for a type that is not accepted, to 1,000.
    public func quality(of type: MediaType) -> Int { match(type).quality }

    /// Whether the type itself is named with a quality above 0.
    public func names(_ type: MediaType) -> Bool {
        let match = match(type)
        return match.precision == 3 && match.quality > 0
    }

    private func match(_ type: MediaType) -> (precision: Int, quality: Int) {
        guard isStated else { return (1, 1000) }
        let parts = type.rawValue.split(separator: "/").map(String.init)
        var best = (precision: 0, quality: 0)
        for range in ranges {
            let precision = range.precision(of: parts[0], parts[1])
            if precision > best.precision { best = (precision, range.quality) }
        }
        return best
    }

    /// The type with the highest quality; among equals the first.
    ///
    /// - Parameter onlyNamed: types that count only if the client names them. WebP is one: a client whose `*/*` only
    ///   means that it does not care may be unable to show it.
    /// - Returns: `nil` if none is accepted.
    public func best(of types: [MediaType], onlyNamed: Set<MediaType> = []) -> MediaType? {
        var best: (type: MediaType, quality: Int)?
        for type in types where !onlyNamed.contains(type) || names(type) {
            let quality = quality(of: type)
            if quality > best?.quality ?? 0 { best = (type, quality) }
        }
        return best?.type
    }

    /// Whether the client prefers a page to data, as when a person opens an address in a browser.
    public var prefersPage: Bool { quality(of: .html) > quality(of: MediaType(rawValue: "application/json")) }
}
