internal import Media

/// The reason why a page's images are left to Poppler at full size. The document, the page or an image is damaged,
/// unusual or too large, or the image is drawn nearly at full size.
package struct NotReducible: Error {
    /// The reason, for tests and logs.
    package let reason: String

    init(_ reason: String) { self.reason = reason }

    /// Converts a failure of `body` to this error, with the failure's detail as the reason.
    static func unless<Value>(_ body: () throws(Failure) -> Value) throws(NotReducible) -> Value {
        do throws(Failure) {
            return try body()
        } catch {
            throw NotReducible(error.detail)
        }
    }
}
