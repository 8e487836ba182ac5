public import HTTPSyntax
public import Hummingbird
internal import NIOCore

/// Reads the parts of a form while its body arrives.
public struct FormReader: Sendable {
    private var parser: MultipartParser

    /// A reader for the body of a `multipart/form-data` request.
    ///
    /// - Throws: `MultipartError.noBoundary` if the request has another type.
    public init(_ request: Request, limits: MultipartLimits = MultipartLimits()) throws(MultipartError) {
        parser = try MultipartParser(request.headers.single("Content-Type").flatMap { ContentType($0) }, limits: limits)
    }

    /// The next event; `nil` after the last part, when the whole body has been read.
    ///
    /// - Throws: `MultipartError`, or the errors of the body's reader.
    public mutating func next(from body: inout BodyReader) async throws -> MultipartParser.Event? {
        while true {
            if let event = try parser.next() { return event }
            guard let piece = try await body.next() else {
                if parser.isComplete { return nil }
                parser.finish()
                return try parser.next()
            }
            parser.feed(Array(piece.readableBytesView)[...])
        }
    }
}
