public import Media

/// The child's answer to a request; every child sends one.
public enum RenderAnswer: Hashable, Sendable {
    /// The facts, and the renditions' pixels in the order of the request's targets.
    case rendered(Facts, [RenderedPixels])
    /// The facts, and the size in bytes of the text that the child wrote to the task's memory: the page's
    /// (`PageText.bytes`) or, from the class `text`, the document's (`DocumentText.bytes`).
    case text(Facts, byteCount: Int)
    /// The source has no rendition; a child may use only certain codes.
    case failed(Failure)
    /// The renderer leaves the file to its class's successor, for this reason.
    case declined(String)
}

/// The shape of the pixels that a child wrote at a target's place: rows from the top without gaps.
public struct RenderedPixels: Hashable, Sendable {
    /// Pixels per row.
    public var width: Int
    /// The number of rows.
    public var height: Int
    /// 3 for RGB, 4 for RGBA (straight alpha); sRGB.
    public var channels: Int

    /// Pixels of this shape.
    public init(width: Int, height: Int, channels: Int) {
        self.width = width
        self.height = height
        self.channels = channels
    }

    /// The size of all rows together.
    public var byteCount: Int { width * height * channels }
}

extension RenderAnswer: WireMessage {
    /// The answer as one message.
    public var bytes: [UInt8] {
        var writer = WireWriter.versioned()
        switch self {
        case .rendered(let facts, let pixels):
            writer.write(UInt8(0))
            writer.write(facts)
            writer.write(pixels) { writer, pixels in
                writer.write(UInt32(pixels.width))
                writer.write(UInt32(pixels.height))
                writer.write(UInt8(pixels.channels))
            }
        case .failed(let failure):
            writer.write(UInt8(1))
            writer.write(failure)
        case .declined(let reason):
            writer.write(UInt8(2))
            writer.write(reason)
        case .text(let facts, let byteCount):
            writer.write(UInt8(3))
            writer.write(facts)
            writer.write(UInt32(byteCount))
        }
        return writer.bytes
    }

    /// Parses an answer: facts and texts are bounded, and only failures that a child can know are accepted.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = try WireReader(versioned: bytes)
        switch try reader.integer(UInt8.self) {
        case 0:
            let facts = try reader.facts()
            let pixels = try reader.list { reader throws(WireError) in try reader.pixels() }
            self = .rendered(facts, pixels)
        case 1:
            let failure = try reader.anyFailure()
            guard Self.childCodes.contains(failure.code) else { throw reader.failure("failure of a child") }
            self = .failed(failure)
        case 2: self = .declined(Failure.bounded(try reader.text()))
        case 3:
            let facts = try reader.facts()
            let byteCount = Int(try reader.integer(UInt32.self))
            guard byteCount <= Wire.longestPageText else { throw reader.failure("text of a page") }
            self = .text(facts, byteCount: byteCount)
        default: throw reader.failure("answer")
        }
        try reader.finish()
    }
}

extension RenderAnswer {
    /// The failures that a child can know. Only the host knows how the child ended and what the person did.
    private static let childCodes: Set<Failure.Code> = [
        .unsupported, .corrupt, .encrypted, .tooLarge, .unavailable, .usage,
    ]
}

extension WireWriter {
    mutating func write(_ failure: Failure) {
        write(failure.code.rawValue)
        write(failure.message)
        write(failure.detail)
    }

    mutating func write(_ facts: Facts) {
        write(facts.mediaType.rawValue)
        write(facts.kind.rawValue)
        write(facts.byteCount)
        for value in [facts.width, facts.height, facts.orientation, facts.pageCount] {
            write(value) { $0.write(Int64($1)) }
        }
        for value in [facts.pageWidth, facts.pageHeight, facts.duration, facts.frameRate] {
            write(value) { $0.write($1) }
        }
        for value in [facts.codec, facts.colorSpace, facts.hdr, facts.title] { write(value) { $0.write($1) } }
        for value in [facts.hasAlpha, facts.isEncrypted, facts.hasVideo, facts.isBlank] {
            write(value) { $0.write($1) }
        }
        write(facts.poster) { writer, poster in
            writer.write(poster.time)
            writer.write(poster.reason)
        }
    }
}

extension WireReader {
    /// A failure of any code.
    mutating func anyFailure() throws(WireError) -> Failure {
        Failure(try choice(Failure.Code.self), message: try text(), detail: try text())
    }

    /// Facts from a process that decoded hostile bytes: texts become printable and bounded; implausible numbers fail.
    mutating func facts() throws(WireError) -> Facts {
        let mediaType = MediaType(rawValue: try text())
        var facts = Facts(mediaType: mediaType, kind: try choice(), byteCount: try integer())
        guard facts.byteCount >= 0 else { throw failure("byte count") }
        facts.width = try count()
        facts.height = try count()
        facts.orientation = try count()
        facts.pageCount = try count()
        facts.pageWidth = try measure()
        facts.pageHeight = try measure()
        facts.duration = try measure()
        facts.frameRate = try measure()
        facts.codec = try label(100)
        facts.colorSpace = try label(100)
        facts.hdr = try label(100)
        facts.title = try label(300)
        facts.hasAlpha = try optional { reader throws(WireError) in try reader.bool() }
        facts.isEncrypted = try optional { reader throws(WireError) in try reader.bool() }
        facts.hasVideo = try optional { reader throws(WireError) in try reader.bool() }
        facts.isBlank = try optional { reader throws(WireError) in try reader.bool() }
        facts.poster = try optional { reader throws(WireError) in
            Facts.Poster(time: try reader.double(), reason: Failure.bounded(try reader.text(), to: 100))
        }
        return facts
    }

    fileprivate mutating func pixels() throws(WireError) -> RenderedPixels {
        let width = Int(try integer(UInt32.self))
        let height = Int(try integer(UInt32.self))
        let channels = Int(try integer(UInt8.self))
        let sides = 1...Box.longestSide
        guard sides.contains(width), sides.contains(height), channels == 3 || channels == 4 else {
            throw failure("pixels")
        }
        return RenderedPixels(width: width, height: height, channels: channels)
    }

    private mutating func count() throws(WireError) -> Int? {
        try optional { reader throws(WireError) in
            let value = try reader.integer(Int64.self)
            guard (1...Int64(Int32.max)).contains(value) else { throw reader.failure("count") }
            return Int(value)
        }
    }

    private mutating func measure() throws(WireError) -> Double? {
        try optional { reader throws(WireError) in
            let value = try reader.double()
            guard value >= 0 else { throw reader.failure("measure") }
            return value
        }
    }

    private mutating func label(_ limit: Int) throws(WireError) -> String? {
        try optional { reader throws(WireError) in Failure.bounded(try reader.text(), to: limit) }
    }
}
