package import HTTPTypes
package import Hummingbird
internal import Linux
package import Media
package import NIOCore

/// The bytes of an answer. They are in pieces: none is copied while the body grows, and each can be sent alone.
///
/// Whoever writes one that may be large does so on a thread of `BlockingPool`, in the caller's turn.
package struct AnswerBody: Sendable {
    /// Bytes that are complete, and their share of the memory.
    private struct Piece: Sendable {
        let bytes: ByteBuffer
        let share: MemoryBudget.Share
    }

    /// What is written next, at the end. After each value, `closeFullPieces` has to be called.
    package var tail: [UInt8] = []
    private var closed: [Piece] = []
    private let memory: AnswerMemory

    /// A body without bytes.
    ///
    /// - Parameter memory: what all answers share.
    package init(in memory: AnswerMemory = .shared) {
        self.memory = memory
    }

    /// Of each piece but the last one, which takes no share of the memory. A power of two: a `ByteBuffer` allocates no other number of bytes.
    package static let pieceByteCount = 64 << 10
    /// Of a whole answer.
    package static let mostBytes = 16 << 20

    /// The bytes of the whole body.
    package var byteCount: Int { closedByteCount + tail.count }
    private var closedByteCount: Int { closed.count * Self.pieceByteCount }

    /// The bytes in their order, for sending one buffer after another. The body has to outlive them.
    package var pieces: [ByteBuffer] { closed.map(\.bytes) + (tail.isEmpty ? [] : [ByteBuffer(bytes: tail)]) }

    /// The bytes in one array.
    package var bytes: [UInt8] { pieces.flatMap { Array($0.readableBytesView) } }

    /// Takes full pieces from the beginning of `tail`.
    ///
    /// - Throws: `answerTooLarge`; `overloaded` if other answers take all memory.
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
    /// A whole body of a value.
    ///
    /// - Throws: as `closeFullPieces`.
    package init(_ value: JSON, in memory: AnswerMemory = .shared) throws(ServingError) {
        self.init(in: memory)
        try append(value)
        try checkSize()
    }

    /// Appends the bytes of `JSON.text`, of which no more than a piece is ever outside the memory.
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

    /// Appends bytes that are complete values, or parts of them.
    ///
    /// - Throws: as `closeFullPieces`.
    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(ServingError) {
        tail += bytes
        try closeFullPieces()
    }
}

extension Response {
    /// An answer whose body holds its share of the memory until it is written or abandoned. A large one goes a piece at a time, as its client
    /// reads.
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
