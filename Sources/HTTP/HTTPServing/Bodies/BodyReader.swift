internal import HTTPTypes
public import Hummingbird
public import Linux
internal import NIOCore

/// The body of a request, piece by piece, within its limits.
public struct BodyReader {
    /// The declared length; `nil` for a chunked body.
    public let declaredByteCount: Int64?
    /// The number of bytes handed out so far.
    public private(set) var byteCount: Int64 = 0
    private var iterator: RequestBody.AsyncIterator
    private let channel: any Channel
    private let passage: Passage
    private let progress: BodyProgress
    private let limit: Int64
    private var hasBegun = false
    private var hasEnded = false

    fileprivate init(
        _ body: RequestBody, _ channel: any Channel, _ passage: Passage, _ progress: BodyProgress,
        declaredByteCount: Int64?,
        limit: Int64
    ) {
        iterator = body.makeAsyncIterator()
        self.channel = channel
        self.passage = passage
        self.progress = progress
        self.declaredByteCount = declaredByteCount
        self.limit = limit
    }

    /// The next piece; `nil` after the last.
    ///
    /// - Throws: `ServingError`; `CancellationError` if the body was too slow or the work is cancelled; after the last
    ///   piece, the reason if the caller no longer has the right to the request.
    public mutating func next() async throws -> ByteBuffer? {
        if hasEnded { return nil }
        if !hasBegun {
            hasBegun = true
            channel.triggerUserOutboundEvent(ConnectionWatch.BodyWanted(), promise: nil)
        }
        progress.beginWaiting()
        let piece = try await nextPiece()
        progress.note(piece?.readableBytes ?? 0)
        try Task.checkCancellation()
        guard let piece else {
            hasEnded = true
            try checkEnd()
            // Sending may have taken a long time.
            try await passage.reauthorize?()
            return nil
        }
        byteCount += Int64(piece.readableBytes)
        passage.exchange?.noteReceived(piece.readableBytes)
        if byteCount > limit { throw ServingError.bodyTooLarge(limit: limit) }
        return piece
    }

    private mutating func nextPiece() async throws -> ByteBuffer? {
        do {
            return try await iterator.next()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw ServingError.bodyInterrupted
        }
    }

    /// A broken connection ends the body as its own end does.
    private func checkEnd() throws {
        if let declaredByteCount, byteCount < declaredByteCount { throw ServingError.bodyInterrupted }
        if let connection = passage.connection, !connection.hasReceived(passage.place) {
            throw ServingError.bodyInterrupted
        }
    }
}

extension Request {
    /// The declared length; `nil` for a chunked body.
    ///
    /// - Throws: `badLength` if it is not a number.
    public func declaredByteCount() throws(ServingError) -> Int64? {
        let values = headers.values(of: "Content-Length")
        guard let value = values.first else { return nil }
        guard values.count == 1, value.utf8.count <= 18, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int64(value)
        else { throw .badLength }
        return length
    }

    /// Lends the body, and ends the work if the client is too slow.
    ///
    /// A body whose declared length exceeds the limit is refused before a byte is read. A client that waits for
    /// permission (`Expect: 100-continue`) then does not send it.
    /// - Parameter room: memory that the operation holds for the body. While others wait for memory, the client has to
    ///   be faster.
    /// - Throws: `ServingError`, or the operation's own error.
    public func withBody<Value: Sendable>(
        _ context: some ServingContext, _ limits: BodyLimits, room: MemoryBudget.Share? = nil,
        _ operation: @escaping @Sendable (inout BodyReader) async throws -> Value
    ) async throws -> Value {
        let length = try declaredByteCount()
        if let length, length > limits.byteCount { throw ServingError.bodyTooLarge(limit: limits.byteCount) }
        let (body, channel, passage) = (body, context.channel, context.passage)
        let progress = BodyProgress(limits, usual: passage.bodyStallTime)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                var reader = BodyReader(
                    body, channel, passage, progress, declaredByteCount: length, limit: limits.byteCount)
                return try await operation(&reader)
            }
            group.addTask {
                let tick = min(progress.stallTime / 4, .seconds(1))
                while !progress.isTooSlow {
                    if let room, room.isWaitedFor, progress.isTooSlowForOthers { throw ServingError.overloaded }
                    do { try await Task.sleep(for: tick) } catch { return nil }
                }
                throw ServingError.bodyStalled
            }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
    }

    /// The whole body in memory, for JSON and the like.
    ///
    /// - Throws: `overloaded` if the memory shared by all such bodies stays used up; otherwise as `withBody`.
    public func wholeBody(_ context: some ServingContext, _ limits: BodyLimits) async throws -> ByteBuffer {
        let length = try declaredByteCount() ?? limits.byteCount
        if length > limits.byteCount { throw ServingError.bodyTooLarge(limit: limits.byteCount) }
        let most = Int(clamping: length)
        let room = most > Self.freeByteCount ? try await Self.wholeBodies.take(most) : nil
        return try await withBody(context, limits, room: room) { reader in
            var whole = ByteBuffer()
            while var piece = try await reader.next() {
                if whole.readableBytes == 0 { whole = piece } else { whole.writeBuffer(&piece) }
            }
            return whole
        }
    }

    /// The memory of all collected bodies, and the length up to which a body needs none of it.
    private static let wholeBodies = MemoryBudget(byteCount: 64 << 20)
    private static var freeByteCount: Int { 64 << 10 }
}
