internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import People

/// The description of this face in OpenAPI 3.1.
extension DocumentAPI {
    /// One for all answers.
    private static let description = ByteBuffer(bytes: OpenAPIFile.bytes)

    var descriptionRoutes: [Route] {
        [
            Route("GET", "/api/openapi.json", .anyone) { _, _ in
                Response(
                    status: .ok, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-cache"],
                    body: ResponseBody(byteBuffer: Self.description))
            }
        ]
    }
}
