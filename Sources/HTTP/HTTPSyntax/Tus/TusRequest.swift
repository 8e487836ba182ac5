/// A request of the resumable upload protocol, as its header states it (tus 1.0.0).
public enum TusRequest: Hashable, Sendable {
    /// Asks for version, extensions and the maximum size.
    case options
    /// Begins an upload.
    case create(TusCreation)
    /// Asks how much has arrived.
    case status
    /// Sends the next piece.
    case append(TusAppend)
    /// Discards the upload.
    case terminate

    /// Reads a request's method and header. `X-HTTP-Method-Override` replaces a POST's method.
    ///
    /// - Returns: `nil` for a method that the protocol does not have.
    /// - Throws: `unsupportedVersion`, or the error in the method's fields.
    public init?(method: String, headers: some HeaderReading, limits: TusLimits) throws(TusError) {
        let override = method == "POST" ? headers.single("X-HTTP-Method-Override")?.uppercased() : nil
        let method = override ?? method
        guard ["OPTIONS", "POST", "HEAD", "PATCH", "DELETE"].contains(method) else { return nil }
        if method != "OPTIONS", headers.single("Tus-Resumable") != TusAnswer.version { throw .unsupportedVersion }
        switch method {
        case "POST": self = .create(try TusCreation(headers, limits))
        case "HEAD": self = .status
        case "PATCH": self = .append(try TusAppend(headers))
        case "DELETE": self = .terminate
        default: self = .options
        }
    }
}

/// The header of a request that begins an upload.
public struct TusCreation: Hashable, Sendable {
    /// `nil` while it is deferred.
    public let length: Int64?
    /// What the client says about the file.
    public let metadata: TusMetadata
    /// Whether the body is the upload's first piece; other bodies are ignored.
    public let hasPiece: Bool
    /// The body's declared length.
    public let bodyByteCount: Int64?

    init(_ headers: some HeaderReading, _ limits: TusLimits) throws(TusError) {
        if !headers.values(of: "Upload-Concat").isEmpty { throw .concatenation }
        let length = try TusNumber.read("Upload-Length", headers, or: .invalidLength)
        let deferring = headers.values(of: "Upload-Defer-Length")
        guard (length != nil) != (deferring == ["1"]), deferring.isEmpty || deferring == ["1"] else {
            throw .invalidLength
        }
        if let length, length > limits.byteCount { throw .tooLarge }
        self.length = length
        if let text = headers.list("Upload-Metadata"), !text.isEmpty {
            metadata = try TusMetadata(text)
        } else {
            metadata = TusMetadata()
        }
        hasPiece = TusNumber.isPiece(headers)
        bodyByteCount = try TusNumber.read("Content-Length", headers, or: .invalidLength)
        if hasPiece, let bodyByteCount {
            if let length, bodyByteCount > length { throw .beyondLength }
            if bodyByteCount > limits.byteCount { throw .tooLarge }
        }
    }
}

/// The header of a request that sends a piece.
public struct TusAppend: Hashable, Sendable {
    /// Where the piece begins.
    public let offset: Int64
    /// The upload's length, if the client states it now.
    public let length: Int64?
    /// The piece's declared length.
    public let bodyByteCount: Int64?

    init(_ headers: some HeaderReading) throws(TusError) {
        guard TusNumber.isPiece(headers) else { throw .wrongContentType }
        guard let offset = try TusNumber.read("Upload-Offset", headers, or: .invalidOffset) else {
            throw .missingOffset
        }
        self.offset = offset
        length = try TusNumber.read("Upload-Length", headers, or: .invalidLength)
        bodyByteCount = try TusNumber.read("Content-Length", headers, or: .invalidLength)
    }
}

private enum TusNumber {
    /// `nil` if the field is absent.
    static func read(_ name: String, _ headers: some HeaderReading, or error: TusError) throws(TusError) -> Int64? {
        let values = headers.values(of: name)
        if values.isEmpty { return nil }
        var scanner = FieldScanner(values[0])
        guard values.count == 1, let number = scanner.number(), scanner.isAtEnd else { throw error }
        return number
    }

    static func isPiece(_ headers: some HeaderReading) -> Bool {
        headers.single("Content-Type").flatMap { ContentType($0) }?.essence == "application/offset+octet-stream"
    }
}
