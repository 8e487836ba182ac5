internal import Matching
internal import Synchronization

/// The vocabulary of a process: our own, with the imported lists of the database behind it.
///
/// Making one of large lists takes some tenths of a second. The last one is kept, and made anew when the digests of the lists are others.
enum VocabularyMemory {
    private static let kept = Mutex<(digests: [String], vocabulary: Vocabulary)>(([], .builtIn))

    /// The vocabulary that counts now. Those who ask while it is made wait for it.
    static func current(in postings: PostingStore) throws(PostingError) -> Vocabulary {
        let digests = try postings.importedVocabulary().map(\.digest)
        if digests.isEmpty { return .builtIn }
        return try kept.withLock { kept throws(PostingError) in
            if kept.digests != digests {
                let all = try postings.vocabularyLists()
                kept = (all.map(\.digest), Vocabulary.builtIn.adding(all.map(\.lists)))
            }
            return kept.vocabulary
        }
    }
}

extension Profile {
    /// The profile with skills of names that a vocabulary knows: it may have been read by another one.
    func known(to vocabulary: Vocabulary) -> Profile {
        var profile = self
        for (index, skill) in skills.enumerated() where skill.known.flatMap({ vocabulary.skill(named: $0) }) == nil {
            profile.skills[index].known = vocabulary.skill(spelled: skill.name.value)?.name
        }
        return profile
    }
}
