internal import Matching
internal import Synchronization

/// The vocabulary of a process: the built-in one, with the imported lists of the database.
///
/// Creating one from large lists takes some tenths of a second. The last one is cached, and rebuilt when the digests of
/// the lists change.
enum VocabularyMemory {
    private static let kept = Mutex<(digests: [String], vocabulary: Vocabulary)>(([], .builtIn))

    /// The current vocabulary. Callers wait while it is built.
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
    /// The profile with skill names of this vocabulary: it may have been read with another one.
    func known(to vocabulary: Vocabulary) -> Profile {
        var profile = self
        for (index, skill) in skills.enumerated() where skill.known.flatMap({ vocabulary.skill(named: $0) }) == nil {
            profile.skills[index].known = vocabulary.skill(spelled: skill.name.value)?.name
        }
        return profile
    }
}
