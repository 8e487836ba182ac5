import Foundation
import Matching
import Media

/// The first postings for a profile, by the matcher and by plain full-text search.
struct Ranking {
    /// How many of the first are looked at.
    static let depth = 10

    private let candidates: [Candidate]
    private let words: [[String]]
    private let today: CivilDay

    /// Reads all postings of a folder; those that are refused are left out.
    init(folder: String, today: CivilDay) {
        self.today = today
        let reader = PostingReader(source: "samples", today: today)
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        let postings = names.filter { $0 != "truth.json" }.flatMap { name -> [Posting] in
            guard let form = PostingForm(fileName: name),
                let data = FileManager.default.contents(atPath: "\(folder)/\(name)")
            else { return [] }
            return reader.rows(Array(data), as: form).compactMap { try? $0.get() }
        }
        candidates = postings.map { posting in
            Candidate(
                posting: posting, traits: PostingTraits(of: posting, vocabulary: .builtIn, gazetteer: .builtIn),
                query: nil)
        }
        words = postings.map { posting in
            ScannedWord.all(of: "\(posting.title) \(posting.company) \(posting.text)").map(\.key)
        }
    }

    /// The ids that the matcher puts first, of those that the profile's queries find.
    func matched(_ profile: Profile, now: PartialDate) -> [String] {
        let aim = SearchAim(profile, vocabulary: .builtIn, gazetteer: .builtIn, now: now)
        let queries = SearchQuery.all(of: aim, vocabulary: .builtIn)
        let found = candidates.indices.compactMap { index -> Candidate? in
            let title = Set(ScannedWord.all(of: candidates[index].posting.title).map(\.key))
            let all = Set(words[index])
            guard let query = queries.first(where: { $0.accepts($0.field == .title ? title : all) }) else { return nil }
            var candidate = candidates[index]
            candidate.query = query.name
            return candidate
        }
        return Matcher(aim: aim, vocabulary: .builtIn, today: today).ranked(found).prefix(Self.depth).map(\.key.id)
    }

    /// The ids that BM25 (k1 1.2, b 0.75, as FTS5 has it) puts first for the words of the profile's title and skills.
    func searched(_ profile: Profile) -> [String] {
        let text = ([profile.basics.label?.value] + profile.skills.map(\.name.value)).compactMap(\.self).joined(
            separator: " ")
        let average = Double(words.reduce(0) { $0 + $1.count }) / Double(max(1, words.count))
        var scores = [Double](repeating: 0, count: words.count)
        for word in Set(ScannedWord.all(of: text).map(\.key)).sorted() {
            let counts = words.map { list in Double(list.count { $0 == word }) }
            let holders = Double(counts.count { $0 > 0 })
            let rarity = log(1 + (Double(words.count) - holders + 0.5) / (holders + 0.5))
            for (index, count) in counts.enumerated() where count > 0 {
                let length = 0.25 + 0.75 * Double(words[index].count) / average
                scores[index] += rarity * count * 2.2 / (count + 1.2 * length)
            }
        }
        let order = scores.indices.sorted {
            (scores[$1], candidates[$0].posting.key) < (scores[$0], candidates[$1].posting.key)
        }
        return order.prefix(Self.depth).map { candidates[$0].posting.sourceID }
    }
}
