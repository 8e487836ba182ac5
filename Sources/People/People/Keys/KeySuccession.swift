internal import Media

/// What a key makes.
public enum KeyPurpose: String, CaseIterable, Sendable {
    /// A secret of 32 bytes, behind cookies, refresh tokens, mailed links, signed addresses and keys of the wire.
    case secret
    /// A private key as PEM, which signs access tokens.
    case tokens
}

/// The keys of one purpose, oldest first.
struct KeySuccession: Hashable, Sendable {
    struct Key: Hashable, Sendable {
        let id: Int64
        let bytes: [UInt8]
        /// By the database's clock.
        let made: Instant
    }

    var keys: [Key]

    /// How long a key is known before it makes things. By then every process has read it, so none refuses what another
    /// has made.
    static let notice: Duration = .seconds(10)

    /// The keys in use at a moment: first the one that makes things, then the others from the newest to the oldest.
    ///
    /// - Parameter lifetime: how long what a key has made is valid: a key stays in use so long after its successor has
    ///   taken over. `nil` for keys that stay in use until they are removed.
    func inUse(at moment: Instant, lifetime: Duration?) -> [[UInt8]] {
        // Never subtracts a time from a row, which may be any number.
        let known = moment - Self.notice
        // A first key makes things immediately.
        guard let maker = keys.lastIndex(where: { $0.made <= known }) ?? keys.indices.first else { return [] }
        let counting = keys.indices.filter { index in
            guard let lifetime, index < maker else { return true }
            return keys[index + 1].made > known - lifetime
        }
        return [keys[maker].bytes] + counting.reversed().filter { $0 != maker }.map { keys[$0].bytes }
    }
}
