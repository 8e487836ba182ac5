internal import Media

/// The failure of an encoder. On this process's own pixels it means that a resource ran out, so the next call may
/// succeed.
enum EncodingFailure {
    static func make(_ library: String, _ reason: String) -> Failure {
        Failure(
            .unavailable, message: "The rendition could not be encoded. Try again later.",
            detail: "\(library): \(reason)")
    }
}
