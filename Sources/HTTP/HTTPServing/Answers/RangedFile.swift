public import HTTPSyntax
internal import HTTPTypes
public import Hummingbird
public import Linux
internal import NIOCore
internal import Synchronization

/// An answer with the bytes of a file, or with the ranges of it that the request asks for.
public struct RangedFile: Sendable {
    /// Reads bytes of the file from an offset into a buffer, and returns their number; 0 at the end. May block.
    public typealias Read = @Sendable (_ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64) throws -> Int

    /// The number of bytes read at once, if there is memory for two such pieces: one is read while the client takes the
    /// other.
    public static let pieceByteCount = 256 << 10
    /// The number of bytes read at once if there is no such memory.
    public static let smallPieceByteCount = 64 << 10

    private let representation: Representation
    private let type: String
    private let fields: [HTTPField]
    private let pool: BlockingPool
    private let memory: MemoryBudget
    private let read: Read

    /// - Parameters:
    ///   - type: the value of `Content-Type`.
    ///   - fields: further fields of answers with bytes and of 304, such as `Cache-Control` and `Content-Disposition`.
    ///   - memory: the memory that all answers share.
    ///   - read: called on the pool's threads, sequentially for each answer.
    public init(
        _ representation: Representation, type: String, fields: [HeaderField], pool: BlockingPool,
        memory: MemoryBudget, read: @escaping Read
    ) {
        self.representation = representation
        self.type = type
        self.fields = fields.compactMap { field in
            HTTPField.Name(field.name).map { HTTPField(name: $0, value: field.value) }
        }
        self.pool = pool
        self.memory = memory
        self.read = read
    }

    /// The answer for the request's method, conditions and ranges; without the bytes for HEAD.
    ///
    /// - Throws: the error of the first read, so that it can still be answered. Later errors end the connection.
    public func response(to request: Request) async throws -> Response {
        let plan = DeliveryPlan(
            method: request.method.rawValue, headers: request.headers, representation: representation)
        var headers = HTTPFields()
        for field in plan.fields(of: representation) { headers[HTTPField.Name(field.name)!] = field.value }
        if [200, 206, 304].contains(plan.status) { headers.append(contentsOf: fields) }
        let status = HTTPResponse.Status(code: plan.status)
        guard [200, 206].contains(plan.status) else { return Response(status: status, headers: headers) }
        var pieces: [Piece]
        if case .parts(let ranges) = plan {
            let frame = MultipartRanges(
                ranges, of: representation.byteCount, type: type, boundary: Self.boundary())
            headers[.contentType] = frame.contentType
            pieces = frame.parts.flatMap { [.text($0.head), .range($0.range)] } + [.text(frame.tail)]
        } else {
            headers[.contentType] = type
            pieces = plan.ranges(of: representation).map { .range($0) }
        }
        let byteCount = pieces.reduce(0) { $0 + $1.byteCount }
        if request.method == .head {
            headers[.contentLength] = "\(byteCount)"
            return Response(
                status: status, headers: headers,
                body: ResponseBody(contentLength: byteCount) { try await $0.finish(nil) })
        }
        return Response(status: status, headers: headers, body: try await body(pieces, byteCount))
    }

    private enum Piece: Sendable {
        case text(String)
        case range(Range<Int64>)

        var byteCount: Int {
            switch self {
            case .text(let text): text.utf8.count
            case .range(let range): range.count
            }
        }
    }

    private static func boundary() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
    }

    /// A body in one write if it is short; otherwise a body that reads the next bytes while the previous ones are sent.
    ///
    /// `PacedWriter` takes a piece when the previous one has been sent, so there are at most two.
    private func body(_ pieces: [Piece], _ byteCount: Int) async throws -> ResponseBody {
        let room = byteCount > Self.smallPieceByteCount ? memory.takeNow(2 * Self.pieceByteCount) : nil
        guard case .range(let range)? = pieces.first, pieces.count == 1 else {
            return ResponseBody(contentLength: byteCount) { writer in
                for piece in pieces {
                    switch piece {
                    case .text(let text): try await writer.write(ByteBuffer(string: text))
                    case .range(let range): try await write(range, in: room, to: &writer)
                    }
                }
                try await writer.finish(nil)
            }
        }
        let first = range.isEmpty ? ByteBuffer() : try await bytes(range, in: room)
        if byteCount <= Self.smallPieceByteCount { return ResponseBody(byteBuffer: first) }
        let rest = (range.lowerBound + Int64(first.readableBytes))..<range.upperBound
        let handover = Handover(first)
        return ResponseBody(contentLength: byteCount) { writer in
            try await writer.write(handover.take())
            try await write(rest, in: room, to: &writer)
            try await writer.finish(nil)
        }
    }

    /// Bytes that can be taken once. A body that captured them would keep them until its end, as a third piece.
    private final class Handover: Sendable {
        private let bytes: Mutex<ByteBuffer>

        init(_ bytes: ByteBuffer) { self.bytes = Mutex(bytes) }

        func take() -> ByteBuffer {
            bytes.withLock { bytes in
                defer { bytes = ByteBuffer() }
                return bytes
            }
        }
    }

    /// - Parameter room: the memory of the pieces.
    private func write(
        _ range: Range<Int64>, in room: MemoryBudget.Share?, to writer: inout any ResponseBodyWriter
    ) async throws {
        var rest = range
        while !rest.isEmpty {
            let bytes = try await bytes(rest, in: room)
            rest = (rest.lowerBound + Int64(bytes.readableBytes))..<rest.upperBound
            try await writer.write(bytes)
        }
    }

    /// Some bytes from the beginning of a range. If there are none, the file has become shorter.
    private func bytes(_ range: Range<Int64>, in room: MemoryBudget.Share?) async throws -> ByteBuffer {
        let read = read
        let most = room == nil ? Self.smallPieceByteCount : Self.pieceByteCount
        return try await pool.run {
            let byteCount = min(range.count, most)
            var buffer = ByteBufferAllocator().buffer(capacity: byteCount)
            try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: byteCount) { bytes in
                var count = 0
                while count < byteCount {
                    let target = UnsafeMutableRawBufferPointer(rebasing: bytes[count..<byteCount])
                    let read = try read(target, range.lowerBound + Int64(count))
                    if read == 0 { throw ServingError.bodyInterrupted }
                    count += read
                }
                return count
            }
            return buffer
        }
    }
}
