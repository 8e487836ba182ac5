internal import Linux

/// The bytes of an answer. They are in pieces: none is copied while the body grows, and each can be sent alone.
package struct AnswerBody: Sendable {
    /// Bytes that are complete, and their share of the memory.
    private struct Piece: Sendable {
        let bytes: [UInt8]
        let share: MemoryBudget.Share
    }

    /// What is written next, at the end. After each value, `closeFullPiece` has to be called.
    var tail: [UInt8] = []
    private var closed: [Piece] = []
    private var closedByteCount = 0
    private var heldByteCount = 0
    private let memory: AnswerMemory

    init(in memory: AnswerMemory) {
        self.memory = memory
    }

    /// An answer of fewer bytes takes no share of the memory.
    package static let pieceByteCount = 64 << 10
    /// Of a whole answer. What is read for it has the same bound (`TableReader`).
    static let mostBytes = 16 << 20

    /// The bytes of the whole body.
    package var byteCount: Int { closedByteCount + tail.count }

    /// The bytes in their order, for sending one array after another.
    var pieces: [[UInt8]] { closed.map(\.bytes) + [tail] }

    /// The bytes in one array.
    package var bytes: [UInt8] { Array(pieces.joined()) }

    /// Begins a new piece if this one is full.
    ///
    /// - Throws: `54000` for too large a body; `53400` if other answers take all memory.
    mutating func closeFullPiece() throws(RowError) {
        guard tail.count >= Self.pieceByteCount else { return }
        try checkSize()
        let share = try memory.take(tail.capacity, besides: heldByteCount)
        closed.append(Piece(bytes: tail, share: share))
        closedByteCount += tail.count
        heldByteCount += share.byteCount
        tail = []
        tail.reserveCapacity(Self.pieceByteCount + 2048)
    }

    /// - Throws: `54000` for too large a body.
    func checkSize() throws(RowError) {
        guard byteCount <= Self.mostBytes else { throw .tooLarge(most: Self.mostBytes) }
    }
}
