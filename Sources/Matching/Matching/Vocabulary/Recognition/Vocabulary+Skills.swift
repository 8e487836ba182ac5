internal import Media

/// A skill at a place in a text.
public struct SkillMention: Hashable, Sendable {
    /// The name in the vocabulary.
    public let name: String
    /// The place in UTF-8 bytes.
    public let bytes: Range<Int>
}

extension Vocabulary {
    /// The skills that a text names, in text order, each place once.
    ///
    /// - Parameter isList: whether the text is a list of skills, in which words such as `Go` also count.
    public func skills(in text: String, isList: Bool = false) -> [SkillMention] {
        let words = ScannedWord.all(of: text)
        let hits = skillIndex.hits(in: words)
        guard !hits.isEmpty else { return [] }
        var text = text
        return text.withUTF8 { source in
            hits.compactMap { hit in
                let bytes =
                    words[hit.words.lowerBound].bytes.lowerBound..<words[hit.words.upperBound - 1].bytes.upperBound
                let spelling = hit.values.lazy.map { spellings[Int($0)] }.first { spelling in
                    switch spelling.recognition {
                    case .anywhere: true
                    case .withItsCapitals: isList || source[bytes].elementsEqual(spelling.text.utf8)
                    case .inLists: isList
                    }
                }
                return spelling.map { SkillMention(name: skills[$0.skill].name, bytes: bytes) }
            }
        }
    }

    /// The skill that a whole text names, like an item of a list; `nil` if it names none or says more.
    public func skill(spelled text: String) -> Skill? {
        skillIndex.values(of: ScannedWord.all(of: text).lazy.map(\.key)).first.map {
            skills[spellings[Int($0)].skill]
        }
    }
}
