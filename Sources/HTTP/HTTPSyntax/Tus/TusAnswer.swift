/// The answer to a request of the resumable upload protocol.
public struct TusAnswer: Hashable, Sendable {
    /// The protocol's version, the only supported one.
    public static let version = "1.0.0"
    /// The names of the supported extensions.
    public static let extensions = [
        "creation", "creation-with-upload", "creation-defer-length", "termination", "expiration",
    ]

    /// The status code.
    public let status: Int
    /// All fields except those that every answer of the server has.
    public let fields: [HeaderField]
    /// Text for errors, otherwise empty.
    public let body: String

    private init(_ status: Int, _ fields: [HeaderField] = [], body: String = "") {
        self.status = status
        self.fields =
            [HeaderField("Tus-Resumable", Self.version), HeaderField("Cache-Control", "no-store")]
            + (body.isEmpty ? [] : [HeaderField("Content-Type", "text/plain; charset=utf-8")]) + fields
        self.body = body
    }

    /// 204 with version, extensions and the maximum size.
    public static func options(_ limits: TusLimits) -> TusAnswer {
        TusAnswer(
            204,
            [
                HeaderField("Tus-Version", version),
                HeaderField("Tus-Extension", extensions.joined(separator: ",")),
                HeaderField("Tus-Max-Size", "\(limits.byteCount)"),
            ])
    }

    /// 201 with the upload's address.
    ///
    /// - Parameter location: absolute, for clients that do not resolve it.
    public static func created(_ upload: TusUpload, location: String, hasPiece: Bool) -> TusAnswer {
        let offset = hasPiece ? [HeaderField("Upload-Offset", "\(upload.offset)")] : []
        return TusAnswer(201, [HeaderField("Location", location)] + offset + expiry(upload))
    }

    /// 200 with offset, length and metadata.
    public static func status(_ upload: TusUpload) -> TusAnswer {
        let length =
            upload.length.map { HeaderField("Upload-Length", "\($0)") } ?? HeaderField("Upload-Defer-Length", "1")
        let metadata = upload.metadata.text.map { [HeaderField("Upload-Metadata", $0)] } ?? []
        return TusAnswer(
            200, [HeaderField("Upload-Offset", "\(upload.offset)"), length] + metadata + expiry(upload))
    }

    /// 204 with the new offset.
    public static func appended(_ upload: TusUpload) -> TusAnswer {
        TusAnswer(204, [HeaderField("Upload-Offset", "\(upload.offset)")] + expiry(upload))
    }

    /// 204: the upload is gone.
    public static let terminated = TusAnswer(204)

    /// The status of an error, with its text.
    public static func failed(_ error: TusError) -> TusAnswer {
        let version = error == .unsupportedVersion ? [HeaderField("Tus-Version", version)] : []
        return TusAnswer(error.status, version, body: "\(error.message)\n")
    }

    private static func expiry(_ upload: TusUpload) -> [HeaderField] {
        upload.isFinished ? [] : [HeaderField("Upload-Expires", upload.expires.text)]
    }
}
