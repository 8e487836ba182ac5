internal import Hashing
package import Media

/// The tokens that were checked, by their digests: a token itself is not stored.
///
/// The cache is bounded: it has two halves, and drops the older one when the younger one is full. A look-up moves an
/// entry to the younger.
package struct CheckedTokens {
    /// The content of a token.
    package struct Entry {
        let person: ID<Person>
        /// The second since 1970 from which the token is invalid.
        let end: Int64
        /// The number of the key set by which it was checked.
        let keys: Int

        /// An entry of these parts.
        package init(person: ID<Person>, end: Int64, keys: Int) {
            self.person = person
            self.end = end
            self.keys = keys
        }
    }

    /// The most entries in a half, of about 100 bytes each.
    package static let halfCount = 10_000

    private var young: [Digest: Entry] = [:]
    private var old: [Digest: Entry] = [:]

    /// An empty cache.
    package init() {}

    /// The key of a token in the cache.
    package static func name(of token: String) -> Digest {
        var token = token
        return token.withUTF8 { bytes in
            var hasher = SHA256()
            hasher.update(UnsafeRawBufferPointer(bytes))
            return hasher.digest()
        }
    }

    /// The number of cached tokens.
    package var count: Int { young.count + old.count }

    /// The cached content of a token.
    package mutating func entry(_ name: Digest) -> Entry? {
        if let entry = young[name] { return entry }
        guard let entry = old.removeValue(forKey: name) else { return nil }
        keep(entry, as: name)
        return entry
    }

    /// Caches the content of a token.
    package mutating func keep(_ entry: Entry, as name: Digest) {
        if young.count >= Self.halfCount { (old, young) = (young, [:]) }
        young[name] = entry
    }
}
