internal import Media

/// An encoder that fails on our own pixels has run out of something: the next call may succeed.
enum EncodingFailure {
    static func make(_ library: String, _ reason: String) -> Failure {
        Failure(
            .unavailable, message: "The rendition could not be encoded. Try again later.",
            detail: "\(library): \(reason)")
    }
}
