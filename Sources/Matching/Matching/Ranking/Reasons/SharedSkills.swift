internal import Media

/// A skill that a posting asks for and a résumé has.
struct SharedSkill {
    /// The name in the vocabulary, or the person's own.
    let name: String
    /// As the posting writes it.
    let asked: String
    let postingPlace: PostingPlace
    let own: Own

    /// The résumé's side.
    struct Own {
        /// As written.
        let text: String
        let place: TextPlace?
        let isListed: Bool
    }
}

/// The skills of both, with the skills of the fewest occupations first.
struct SharedSkills {
    let inOrder: [SharedSkill]

    init(_ profile: Profile, _ posting: Posting, _ vocabulary: Vocabulary) {
        var own: [String: SharedSkill.Own] = [:]
        for skill in profile.skills {
            guard let name = skill.known, own[name] == nil else { continue }
            own[name] = SharedSkill.Own(text: skill.name.value, place: skill.name.place, isListed: skill.isListed)
        }
        for certificate in profile.certificates {
            for mention in vocabulary.skills(in: certificate.name.value, isList: true) where own[mention.name] == nil {
                own[mention.name] = SharedSkill.Own(
                    text: certificate.name.value, place: certificate.name.place, isListed: true)
            }
        }
        var shared: [SharedSkill] = []
        var seen: Set<String> = []
        for (field, text) in [(PostingPlace.Field.text, posting.text), (.title, posting.title)] {
            for mention in vocabulary.skills(in: text) {
                guard let mine = own[mention.name], seen.insert(mention.name).inserted else { continue }
                shared.append(
                    SharedSkill(
                        name: mention.name, asked: text[utf8: mention.bytes],
                        postingPlace: PostingPlace(field, mention.bytes), own: mine))
            }
        }
        shared += Self.own(profile, posting, except: shared)
        func users(_ skill: SharedSkill) -> Int { max(1, vocabulary.userCount(ofSkill: skill.name)) }
        inOrder = shared.sorted { (users($0), $0.name) < (users($1), $1.name) }
    }

    /// The skills that the vocabulary does not know, if the posting names them outside the shared skills.
    private static func own(_ profile: Profile, _ posting: Posting, except shared: [SharedSkill]) -> [SharedSkill] {
        let own = OwnSkills(profile)
        var found: [SharedSkill] = []
        var seen: Set<Int> = []
        for (field, text) in [(PostingPlace.Field.text, posting.text), (.title, posting.title)] {
            for mention in own.mentions(in: ScannedWord.all(of: text)) where seen.insert(mention.skill).inserted {
                guard own.all[mention.skill].isDistinct else { continue }
                let place = PostingPlace(field, mention.bytes)
                let skill = own.all[mention.skill]
                guard let mine = profile.skills.first(where: { $0.known == nil && $0.name.value == skill.name }),
                    !shared.contains(where: { $0.postingPlace.overlaps(place) })
                else { continue }
                found.append(
                    SharedSkill(
                        name: skill.name, asked: text[utf8: mention.bytes], postingPlace: place,
                        own: SharedSkill.Own(text: skill.name, place: mine.name.place, isListed: mine.isListed)))
            }
        }
        return found
    }
}

extension PostingPlace {
    fileprivate func overlaps(_ other: PostingPlace) -> Bool { field == other.field && bytes.overlaps(other.bytes) }
}
