/// The description of this face in OpenAPI 3.1: `openapi.json` beside this file, built into the program.
///
/// It is written by hand with the routes. A test compares its paths and methods with `DocumentAPI.rules`.
package enum OpenAPIFile {
    /// The file as it is served.
    package static var bytes: [UInt8] { PackageResources.openapi_json }
}
