/// The limits of resumable uploads.
public struct TusLimits: Hashable, Sendable {
    /// The size limit of an upload.
    public let byteCount: Int64
    /// Seconds from the creation of an upload to its expiry.
    public let lifetime: Int64

    /// - Parameter lifetime: in seconds; a day by default, as clients expect.
    public init(byteCount: Int64, lifetime: Int64 = 86400) {
        self.byteCount = byteCount
        self.lifetime = lifetime
    }
}

/// A resumable upload between two requests, without its bytes.
///
/// The caller creates it from what it knows about the upload, applies a request to it, and moves the bytes, while it
/// holds the upload exclusively.
public struct TusUpload: Hashable, Sendable {
    /// The length of the whole; `nil` while it is deferred.
    public private(set) var length: Int64?
    /// The number of bytes that are kept.
    public private(set) var offset: Int64
    /// When an unfinished upload expires.
    public let expires: HTTPDate
    /// What the client says about the file.
    public let metadata: TusMetadata

    /// An upload as it was stored.
    public init(length: Int64?, offset: Int64, expires: HTTPDate, metadata: TusMetadata) {
        precondition(offset >= 0 && offset <= length ?? .max)
        self.length = length
        self.offset = offset
        self.expires = expires
        self.metadata = metadata
    }

    /// A new upload without bytes.
    public init(_ creation: TusCreation, limits: TusLimits, now: HTTPDate) {
        self.init(
            length: creation.length, offset: 0, expires: HTTPDate(seconds: now.seconds + limits.lifetime),
            metadata: creation.metadata)
    }

    /// Whether all bytes are kept.
    public var isFinished: Bool { offset == length }

    /// Throws `expired` if the upload is not finished and its time is over.
    public func checkTime(now: HTTPDate) throws(TusError) {
        if !isFinished, now >= expires { throw .expired }
    }

    /// Applies the header of a piece, and with it a deferred length.
    ///
    /// - Returns: the maximum number of bytes to take from the body. A longer body is `beyondLength`, or `tooLarge`
    ///   while the length is deferred (`excess`).
    public mutating func begin(_ piece: TusAppend, limits: TusLimits, now: HTTPDate) throws(TusError) -> Int64 {
        try checkTime(now: now)
        guard piece.offset == offset else { throw .offsetConflict }
        if let stated = piece.length {
            // A client repeats the length if it did not see the answer to the request that stated it.
            guard length == nil || length == stated, stated >= offset else { throw .invalidLength }
            if stated > limits.byteCount { throw .tooLarge }
            length = stated
        }
        return try allowance(for: piece.bodyByteCount, limits)
    }

    /// Applies the header of a piece when all bytes are kept: the last piece again, or an empty one after it.
    public func beginAgain(_ piece: TusAppend) throws(TusError) {
        let end = piece.offset.addingReportingOverflow(piece.bodyByteCount ?? 0)
        guard isFinished, !end.overflow, end.partialValue == offset else { throw .offsetConflict }
        guard piece.length == nil || piece.length == length else { throw .invalidLength }
    }

    /// Applies the header of a creation whose body is the first piece.
    ///
    /// - Returns: as `begin`.
    public func beginFirstPiece(of creation: TusCreation, limits: TusLimits) throws(TusError) -> Int64 {
        creation.hasPiece ? try allowance(for: creation.bodyByteCount, limits) : 0
    }

    private func allowance(for byteCount: Int64?, _ limits: TusLimits) throws(TusError) -> Int64 {
        let allowance = max(0, (length ?? limits.byteCount) - offset)
        if let byteCount, byteCount > allowance { throw excess }
        return allowance
    }

    /// The error of a body with more bytes than `begin` allowed.
    public var excess: TusError { length == nil ? .tooLarge : .beyondLength }

    /// Records bytes that are kept, even if the connection broke after them.
    public mutating func advance(by count: Int64) {
        precondition(count >= 0 && offset + count <= length ?? .max, "more bytes than were allowed")
        offset += count
    }
}
