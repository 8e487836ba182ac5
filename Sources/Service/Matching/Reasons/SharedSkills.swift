internal import Postings
internal import Resumes
internal import Vocabulary

/// A skill that a posting asks for and a résumé has.
struct SharedSkill {
    /// The name in the vocabulary.
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

/// The skills of both, those that the fewest occupations use first.
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
        func users(_ skill: SharedSkill) -> Int { vocabulary.occupations(using: skill.name).count }
        inOrder = shared.sorted { (users($0), $0.name) < (users($1), $1.name) }
    }
}
