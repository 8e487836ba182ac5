/// A refused request for a resumable upload (tus 1.0.0).
public enum TusError: Error, Hashable, Sendable {
    /// `Tus-Resumable` is absent or states another version.
    case unsupportedVersion
    /// Neither or both of `Upload-Length` and `Upload-Defer-Length`, or a value that cannot be read.
    case invalidLength
    /// `Upload-Metadata` violates its grammar.
    case invalidMetadata
    /// `Upload-Concat`: uploads in parallel parts are not supported.
    case concatenation
    /// The type of a piece is not `application/offset+octet-stream`.
    case wrongContentType
    /// A piece has no `Upload-Offset`.
    case missingOffset
    /// `Upload-Offset` is not a number.
    case invalidOffset
    /// A piece does not begin at the upload's current offset.
    case offsetConflict
    /// The length exceeds the server's limit.
    case tooLarge
    /// A piece exceeds the upload's length.
    case beyondLength
    /// No upload has this address.
    case notFound
    /// The upload was not finished in time.
    case expired
    /// Another request writes to the upload, and did not give way in time.
    case locked
    /// A newer request writes to the upload.
    case overtaken
    /// A finished upload cannot be terminated.
    case finished

    /// The status of the answer.
    public var status: Int {
        switch self {
        case .unsupportedVersion: 412
        case .invalidLength, .invalidMetadata, .concatenation, .invalidOffset, .finished: 400
        case .wrongContentType: 415
        case .missingOffset: 403
        // Clients ask for the offset again after this status, and give up after 400, tusd's answer to an overtaken
        // request.
        case .offsetConflict, .overtaken: 409
        case .tooLarge, .beyondLength: 413
        case .notFound: 404
        case .expired: 410
        case .locked: 423
        }
    }

    /// The answer's body, for developers of clients.
    public var message: String {
        switch self {
        case .unsupportedVersion: "Tus-Resumable must be 1.0.0"
        case .invalidLength: "Upload-Length or Upload-Defer-Length is missing or invalid"
        case .invalidMetadata: "Upload-Metadata is invalid"
        case .concatenation: "Concatenation is not supported. Turn off parallel uploads in the client"
        case .wrongContentType: "Content-Type must be application/offset+octet-stream"
        case .missingOffset: "Upload-Offset header required"
        case .invalidOffset: "Upload-Offset is invalid"
        case .offsetConflict: "Upload-Offset conflict"
        case .tooLarge: "Maximum size exceeded"
        case .beyondLength: "Upload's size exceeded"
        case .notFound: "The file for this url was not found"
        case .expired: "The file for this url no longer exists"
        case .locked: "The upload is locked by another request"
        case .overtaken: "The upload was taken over by another request"
        case .finished: "Cannot terminate an already completed upload"
        }
    }
}
