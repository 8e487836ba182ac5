/// Reads a `multipart/form-data` form (RFC 7578, RFC 2046) while it arrives, in pieces of any length.
///
/// The caller feeds a piece and takes events until `next` returns `nil`. Between two pieces, the parser keeps at most
/// one part's header or the beginning of a boundary. After an error it has no more events.
public struct MultipartParser: Sendable {
    /// One step through a form.
    public enum Event: Hashable, Sendable {
        /// A part's header is complete.
        case began(PartHeader)
        /// The next bytes of the part; never empty. The pieces determine how a part is split.
        case bytes(ArraySlice<UInt8>)
        /// The part is complete.
        case ended
    }

    private enum State {
        /// Before the first boundary, with the number of bytes seen.
        case preamble(Int)
        /// After a boundary, before the end of its line.
        case boundaryLine
        case header([ArraySlice<UInt8>], byteCount: Int)
        /// After a header, whose last line end is pending again: it may belong to the next boundary.
        case partStart(name: String, rest: Int?)
        /// Within a part; the remaining bytes of a field, or `nil` for a file.
        case part(name: String, rest: Int?)
        /// After the last boundary, with the number of bytes seen.
        case epilogue(Int)
        case failed
    }

    private let search: DelimiterSearch
    private let limits: MultipartLimits
    // The first boundary may be at the very beginning, without the line end that is part of all others.
    private var pending: ArraySlice<UInt8> = [0x0D, 0x0A]
    private var state = State.preamble(0)
    private var partCount = 0
    private var hasEnded = false

    /// A parser for the body of a request with this `Content-Type`.
    ///
    /// - Throws: `noBoundary` if the type is a different one, or its boundary is not valid.
    public init(_ type: ContentType?, limits: MultipartLimits = MultipartLimits()) throws(MultipartError) {
        guard let type, type.essence == "multipart/form-data", let boundary = type.parameters.bytes(of: "boundary"),
            Self.isBoundary(boundary)
        else { throw .noBoundary }
        search = DelimiterSearch([0x0D, 0x0A, 0x2D, 0x2D] + boundary)
        self.limits = limits
    }

    /// 1 to 70 of the characters in RFC 2046, 5.1.1; the last is not a space.
    private static func isBoundary(_ bytes: [UInt8]) -> Bool {
        (1...70).contains(bytes.count) && bytes.last != 0x20
            && bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "'()+_,-./:=? ".utf8.contains(byte)
                }
            }
    }

    /// Takes the next piece of the body.
    ///
    /// Take all events before you feed the next piece; otherwise the pieces pile up.
    public mutating func feed(_ piece: ArraySlice<UInt8>) {
        precondition(!hasEnded, "a piece behind the end")
        if pending.isEmpty { pending = piece } else { pending += piece }
    }

    /// Marks the body as complete; then `next` throws `truncated` unless the last boundary was read.
    public mutating func finish() { hasEnded = true }

    /// Whether the last boundary was read.
    public var isComplete: Bool {
        if case .epilogue = state { true } else { false }
    }

    /// The next event; `nil` if more bytes are needed, or at the end of a complete form.
    public mutating func next() throws(MultipartError) -> Event? {
        do throws(MultipartError) {
            while true {
                switch try step() {
                case .event(let event): return event
                case .again: continue
                case .needsMore: break
                }
                if hasEnded, !isComplete { throw .truncated }
                return nil
            }
        } catch {
            if case .failed = state { return nil }
            state = .failed
            pending = []
            throw error
        }
    }

    private enum Step {
        case event(Event)
        case again
        case needsMore
    }

    private mutating func step() throws(MultipartError) -> Step {
        switch state {
        case .preamble(let count): try preamble(count)
        case .boundaryLine: try boundaryLine()
        case .header(let lines, let byteCount): try header(lines, byteCount)
        case .partStart(let name, let rest): partStart(name, rest)
        case .part(let name, let rest): try part(name, rest)
        case .epilogue(let count): try epilogue(count)
        case .failed: throw .truncated
        }
    }

    private mutating func preamble(_ seen: Int) throws(MultipartError) -> Step {
        let place = search.firstPlace(in: pending)
        let skipped = place.map { $0 - pending.startIndex } ?? pending.count - search.beginningAtEnd(of: pending)
        guard seen + skipped <= limits.headerByteCount else { throw .malformed(detail: "no boundary at the beginning") }
        pending = pending.dropFirst(skipped)
        guard place != nil else {
            state = .preamble(seen + skipped)
            return .needsMore
        }
        pending = pending.dropFirst(search.delimiter.count)
        state = .boundaryLine
        return .again
    }

    /// `--` after the last boundary; white space and the line end after others.
    private mutating func boundaryLine() throws(MultipartError) -> Step {
        guard let first = pending.first else { return .needsMore }
        if first == 0x2D {
            guard let second = pending.dropFirst().first else { return .needsMore }
            guard second == 0x2D else { throw .malformed(detail: "other characters follow a boundary") }
            pending = pending.dropFirst(2)
            state = .epilogue(0)
            return .again
        }
        let padding = pending.prefix { $0 == 0x20 || $0 == 0x09 }
        guard padding.count <= 128 else { throw .malformed(detail: "a boundary's line is too long") }
        let end = pending.dropFirst(padding.count).prefix(2)
        if end.first == 0x0A { throw .bareLineFeed }
        guard [0x0D, 0x0A].starts(with: end) else {
            throw .malformed(detail: "other characters follow a boundary")
        }
        guard end.count == 2 else { return .needsMore }
        guard partCount < limits.partCount else { throw .tooManyParts }
        partCount += 1
        pending = pending.dropFirst(padding.count + 2)
        state = .header([], byteCount: 0)
        return .again
    }

    private mutating func header(_ lines: [ArraySlice<UInt8>], _ byteCount: Int) throws(MultipartError) -> Step {
        // A line that cannot end within the limit is not searched further.
        let room = limits.headerByteCount - byteCount
        let window = pending.prefix(room)
        let line = window.prefix { $0 != 0x0D && $0 != 0x0A }
        guard line.count < window.count else {
            if window.count == room { throw .headerTooLong }
            return .needsMore
        }
        let end = pending.dropFirst(line.count).prefix(2)
        if end.first == 0x0A { throw .bareLineFeed }
        guard end.count == 2 else { return .needsMore }
        guard end.last == 0x0A else { throw .malformed(detail: "a CR alone in a part's header") }
        guard line.count + 2 <= room else { throw .headerTooLong }
        pending = pending.dropFirst(line.count + 2)
        guard line.isEmpty else {
            if line.first == 0x20 || line.first == 0x09 { throw .malformed(detail: "a folded line in a part's header") }
            // Not the slice, which would keep the whole piece in memory.
            state = .header(lines + [Array(line)[...]], byteCount: byteCount + line.count + 2)
            return .again
        }
        let header = try PartHeader(lines: lines)
        state = .partStart(name: header.name, rest: header.isFile ? nil : limits.fieldByteCount)
        pending = [0x0D, 0x0A] + pending
        return .event(.began(header))
    }

    /// A part without bytes may lack the line end before its boundary (RFC 2046, 5.1.1: `body-part`).
    private mutating func partStart(_ name: String, _ rest: Int?) -> Step {
        if pending.count < search.delimiter.count, search.delimiter.starts(with: pending) { return .needsMore }
        if !pending.starts(with: search.delimiter) { pending = pending.dropFirst(2) }
        state = .part(name: name, rest: rest)
        return .again
    }

    private mutating func part(_ name: String, _ rest: Int?) throws(MultipartError) -> Step {
        let place = search.firstPlace(in: pending)
        let count = place.map { $0 - pending.startIndex } ?? pending.count - search.beginningAtEnd(of: pending)
        if count > 0 {
            if rest == 0 { throw .fieldTooLong(name: name) }
            let bytes = pending.prefix(min(count, rest ?? count))
            pending = pending.dropFirst(bytes.count)
            state = .part(name: name, rest: rest.map { $0 - bytes.count })
            return .event(.bytes(bytes))
        }
        guard place != nil else { return .needsMore }
        pending = pending.dropFirst(search.delimiter.count)
        state = .boundaryLine
        return .event(.ended)
    }

    private mutating func epilogue(_ seen: Int) throws(MultipartError) -> Step {
        let count = seen + pending.count
        guard count <= limits.headerByteCount else { throw .malformed(detail: "bytes after the last boundary") }
        pending = []
        state = .epilogue(count)
        return .needsMore
    }
}
