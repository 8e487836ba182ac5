/// The value of `Range` in bytes (RFC 9110, 14.1.2 and 14.2).
struct ByteRanges: Equatable {
    enum Spec: Equatable {
        /// `5-9`, or `5-` with no last byte.
        case from(Int64, through: Int64?)
        /// `-5`: the last five bytes.
        case last(Int64)
    }

    /// In the order of the request; never empty.
    let specs: [Spec]

    /// More ranges than any player or viewer requests are an attack on the server's memory.
    static let most = 64

    /// `nil` for another unit, a syntax error, or too many ranges: such a field is ignored.
    init?(_ text: String) {
        var scanner = FieldScanner(text)
        scanner.skipSpace()
        guard scanner.token()?.lowercased() == "bytes", scanner.take("=") else { return nil }
        var specs: [Spec] = []
        _ = scanner.skipComma()
        repeat {
            guard let spec = Self.spec(&scanner), specs.count < Self.most else { return nil }
            specs.append(spec)
        } while scanner.skipComma() && !scanner.isAtEnd
        guard scanner.isAtEnd else { return nil }
        self.specs = specs
    }

    private static func spec(_ scanner: inout FieldScanner) -> Spec? {
        if scanner.take("-") { return scanner.number().map(Spec.last) }
        guard let first = scanner.number(), scanner.take("-") else { return nil }
        guard let next = scanner.next, (0x30...0x39).contains(next) else { return .from(first, through: nil) }
        guard let last = scanner.number(), last >= first else { return nil }
        return .from(first, through: last)
    }

    /// The ranges within a length, in ascending order; ranges that overlap or touch are joined.
    func satisfiable(within byteCount: Int64) -> [Range<Int64>] {
        let ranges = specs.compactMap { spec -> Range<Int64>? in
            switch spec {
            case .from(let first, let last):
                first < byteCount ? first..<min(last.map { $0 + 1 } ?? byteCount, byteCount) : nil
            case .last(let count):
                count > 0 && byteCount > 0 ? max(0, byteCount - count)..<byteCount : nil
            }
        }.sorted { $0.lowerBound < $1.lowerBound }
        var joined: [Range<Int64>] = []
        for range in ranges {
            if let previous = joined.last, range.lowerBound <= previous.upperBound {
                joined[joined.count - 1] = previous.lowerBound..<max(previous.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}
