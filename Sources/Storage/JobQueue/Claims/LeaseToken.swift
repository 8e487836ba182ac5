internal import Media

/// The proof that a worker still holds a job: 128 random bits, new with every claim.
///
/// A worker that was presumed dead and returns has an old token, which changes nothing.
public struct LeaseToken: Hashable, Sendable {
    /// The bits as 32 hexadecimal digits.
    public let hex: String

    /// A new token from the system's random number generator.
    static func random() -> LeaseToken {
        LeaseToken(hex: Hex.string((0..<16).map { _ in UInt8.random(in: 0...255) }))
    }
}
