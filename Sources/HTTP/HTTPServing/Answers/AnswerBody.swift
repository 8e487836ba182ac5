package import HTTPTypes
package import Hummingbird
internal import Linux
package import Media
package import NIOCore

/// The bytes of an answer, in pieces: no piece is copied while the body grows, and each can be sent alone.
///
/// Write a body that may be large on a thread of `BlockingPool`, in the caller's turn.
package struct AnswerBody: Sendable {
    /// Complete bytes with their share of the memory.
    private struct Piece: Sendable {
        let bytes: ByteBuffer
        let share: MemoryBudget.Share
    }

    /// The bytes that are written next, at the end. Call `closeFullPieces` after each value.
    package var tail: [UInt8] = []
    private var closed: [Piece] = []
    private let memory: AnswerMemory

    /// A body without bytes.
    ///
    /// - Parameter memory: the memory that all answers share.
    package init(in memory: AnswerMemory = .shared) {
        self.memory = memory
    }

    /// The size of each piece except the last, which takes no share of the memory. A power of two, because a
    /// `ByteBuffer` allocates only such sizes.
    package static let pieceByteCount = 64 << 10
    /// The size limit of a whole answer.
    package static let mostBytes = 16 << 20

    /// The bytes of the whole body.
    package var byteCount: Int { closedByteCount + tail.count }
    private var closedByteCount: Int { closed.count * Self.pieceByteCount }

    /// The bytes in order, to send one buffer after another. The body must outlive them.
    package var pieces: [ByteBuffer] { closed.map(\.bytes) + (tail.isEmpty ? [] : [ByteBuffer(bytes: tail)]) }

    /// The bytes in one array.
    package var bytes: [UInt8] { pieces.flatMap { Array($0.readableBytesView) } }

    /// Moves full pieces out of the beginning of `tail`.
    ///
    /// - Throws: `answerTooLarge`; `overloaded` if other answers use all the memory.
    package mutating func closeFullPieces() throws(ServingError) {
        guard tail.count >= Self.pieceByteCount else { return }
        try checkSize()
        var rest = tail[...]
        while rest.count >= Self.pieceByteCount {
            let share = try memory.take(Self.pieceByteCount, besides: closedByteCount)
            closed.append(Piece(bytes: ByteBuffer(bytes: rest.prefix(Self.pieceByteCount)), share: share))
            rest = rest.dropFirst(Self.pieceByteCount)
        }
        var next: [UInt8] = []
        next.reserveCapacity(Self.pieceByteCount + 2048)
        next += rest
        tail = next
    }

    /// - Throws: `answerTooLarge`.
    package func checkSize() throws(ServingError) {
        guard byteCount <= Self.mostBytes else { throw .answerTooLarge(limit: Self.mostBytes) }
    }
}

extension AnswerBody {
    /// A whole body made from a value.
    ///
    /// - Throws: as `closeFullPieces`.
    package init(_ value: JSON, in memory: AnswerMemory = .shared) throws(ServingError) {
        self.init(in: memory)
        try append(value)
        try checkSize()
    }

    /// Appends the bytes of `JSON.text`. At most one piece of them is ever outside the memory budget.
    ///
    /// - Throws: as `closeFullPieces`.
    package mutating func append(_ value: JSON) throws(ServingError) {
        switch value {
        case .array(let values):
            tail.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { tail += ", ".utf8 }
                try append(value)
            }
            tail.append(UInt8(ascii: "]"))
        case .object(let members):
            tail.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { tail += ", ".utf8 }
                JSON.string(member.key).write(to: &tail)
                tail += ": ".utf8
                try append(member.value)
            }
            tail.append(UInt8(ascii: "}"))
        default: value.write(to: &tail)
        }
        try closeFullPieces()
    }

    /// Appends the bytes of complete values, or parts of such bytes.
    ///
    /// - Throws: as `closeFullPieces`.
    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(ServingError) {
        tail += bytes
        try closeFullPieces()
    }
}

extension Response {
    /// An answer whose body holds its share of the memory until it is written or abandoned. A large body is sent piece
    /// by piece, as the client reads.
    package init(_ body: AnswerBody, status: HTTPResponse.Status = .ok, headers: HTTPFields) {
        let pieces = body.pieces
        let content =
            pieces.count < 2
            ? ResponseBody(byteBuffer: pieces.first ?? ByteBuffer())
            : ResponseBody(contentLength: body.byteCount) { writer in
                for piece in body.pieces { try await writer.write(piece) }
                try await writer.finish(nil)
            }
        self.init(status: status, headers: headers, body: content)
    }
}
