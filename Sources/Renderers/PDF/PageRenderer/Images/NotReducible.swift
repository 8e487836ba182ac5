internal import Media

/// Why the images of a page are left to Poppler at full size: the document, the page or an image is damaged, unusual or
/// too large, or the image is drawn nearly at full size.
package struct NotReducible: Error {
    /// The reason, for tests and logs.
    package let reason: String

    init(_ reason: String) { self.reason = reason }

    /// Turns a failure of `body` into this error, with the failure's detail as the reason.
    static func unless<Value>(_ body: () throws(Failure) -> Value) throws(NotReducible) -> Value {
        do throws(Failure) {
            return try body()
        } catch {
            throw NotReducible(error.detail)
        }
    }
}
