internal import Media

/// The proof that a worker still holds a job: 128 random bits, new with every claim.
///
/// Whoever was thought dead and comes back has an old one, and changes nothing with it.
public struct LeaseToken: Hashable, Sendable {
    /// 32 hexadecimal digits.
    public let hex: String

    /// A new token from the system's generator.
    static func random() -> LeaseToken {
        LeaseToken(hex: Hex.string((0..<16).map { _ in UInt8.random(in: 0...255) }))
    }
}
