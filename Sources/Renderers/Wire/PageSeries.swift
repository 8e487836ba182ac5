public import Media

/// The texts of consecutive pages, as a child writes them to the task's memory.
public struct PageSeries: Hashable, Sendable {
    /// In page order; at least one.
    public var pages: [PageText]

    /// The most that one child reads, however short they are.
    public static let mostPages = 128

    /// A series that begins with a page.
    public init(_ pages: [PageText]) { self.pages = pages }
}

extension PageSeries: WireMessage {
    /// The series as one message: the count, then each page's length and own message.
    public var bytes: [UInt8] { Array(Self.parts(of: pages.map(\.bytes)).joined()) }

    /// The message of pages with ready messages of their own, in consecutive parts.
    public static func parts(of messages: [[UInt8]]) -> [[UInt8]] {
        var writer = WireWriter.versioned()
        writer.write(UInt8(messages.count))
        return messages.reduce(into: [writer.bytes]) { parts, message in
            var length = WireWriter()
            length.write(UInt32(message.count))
            parts += [length.bytes, message]
        }
    }

    /// Parses a series: each page as `PageText` does, all of one document and in order.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = try WireReader(versioned: bytes)
        let count = Int(try reader.integer(UInt8.self))
        guard (1...Self.mostPages).contains(count) else { throw reader.failure("count of pages") }
        pages = []
        for _ in 0..<count {
            let page = try PageText(parsing: try reader.message())
            if let last = pages.last, page.pageIndex != last.pageIndex + 1 || page.pageCount != last.pageCount {
                throw reader.failure("page out of order")
            }
            pages.append(page)
        }
        try reader.finish()
    }
}
