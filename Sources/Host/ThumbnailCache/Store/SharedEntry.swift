public import Media

/// One content's pictures and facts during a job. Those that other machines have stored are taken over before anything
/// is made. Those that other machines lack are stored for them at the end.
public struct SharedEntry: Sendable {
    private let cache: FolderCache
    private let digest: Digest
    private let shared: any SharedPictures
    /// Whether the shared pictures have a rendition, as far as known.
    private var held: [Recipe: Bool] = [:]
    /// The facts that they have; if the outer value is `nil`, nobody has looked.
    private var heldFacts: StoredFacts??

    private var key: SourceKey { .digest(digest) }

    /// The entry of a content, of which nothing is known yet.
    public init(of digest: Digest, in cache: FolderCache, and shared: any SharedPictures) {
        (self.digest, self.cache, self.shared) = (digest, cache, shared)
    }

    /// Takes over the facts and the renditions that this machine's cache lacks.
    ///
    /// Facts are stored last, so if there are none, renditions are not looked up.
    /// - Throws: `unavailable`; whatever was taken over before stays.
    public mutating func take(_ recipes: [Recipe]) throws(Failure) {
        if cache.facts(of: key) == nil {
            let facts = try cache.takeFacts(of: digest, from: shared)
            heldFacts = .some(facts)
            guard facts != nil else { return }
        }
        for recipe in recipes {
            if case .hit = cache.lookup(key, recipe: recipe, currentBuild: { nil }) { continue }
            held[recipe] = try cache.take(recipe, of: digest, from: shared) != nil
        }
    }

    /// Stores the renditions, and the facts, that other machines lack. It skips a rendition that this machine's cache
    /// does not have.
    ///
    /// The facts come last: a machine that finds them also finds the renditions.
    /// - Throws: `unavailable`; another call stores the rest.
    public mutating func share(_ recipes: [Recipe]) throws(Failure) {
        for recipe in recipes where !isHeld(recipe) {
            try cache.share(recipe, of: digest, in: shared)
            held[recipe] = true
        }
        guard let facts = cache.facts(of: key) else { return }
        if known() != facts { try cache.share(facts, of: digest, in: shared) }
        heldFacts = .some(facts)
    }

    /// Whatever cannot be read is stored again; an unreachable store shows then.
    private func isHeld(_ recipe: Recipe) -> Bool {
        if let known = held[recipe] { return known }
        if case .some(nil) = heldFacts { return false }
        return ((try? cache.find(recipe, of: digest, in: shared)) ?? nil) != nil
    }

    private func known() -> StoredFacts? {
        if let heldFacts { return heldFacts }
        return (try? cache.findFacts(of: digest, in: shared)) ?? nil
    }
}
