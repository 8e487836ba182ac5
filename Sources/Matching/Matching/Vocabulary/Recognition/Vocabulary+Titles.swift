internal import Media

/// What a title says: the occupation and how far up.
public struct TitleReading: Hashable, Sendable {
    /// The occupation's code; `nil` where no known title is near.
    public var occupation: String?
    /// What the title itself says; `nil` where it says nothing.
    public var seniority: Seniority?
    /// How sure the occupation is, 0...1: 1 where the title stands in the list.
    public var confidence: Double

    /// A reading that some other source of titles gives.
    public init(occupation: String?, seniority: Seniority?, confidence: Double) {
        self.occupation = occupation
        self.seniority = seniority
        self.confidence = confidence
    }
}

/// A known title at a place of a text.
public struct TitleMention: Hashable, Sendable {
    /// The occupation's code.
    public let occupation: String
    /// The place in bytes of UTF-8.
    public let bytes: Range<Int>
}

extension Vocabulary {
    /// The titles that a text names, from its beginning, the longest at each place.
    public func titles(in text: String) -> [TitleMention] {
        let words = ScannedWord.all(of: text)
        return knownTitles.phrases.hits(in: words).map { hit in
            TitleMention(
                occupation: occupations[Int(hit.values[0])].code,
                bytes: words[hit.words.lowerBound].bytes.lowerBound..<words[hit.words.upperBound - 1].bytes.upperBound)
        }
    }

    /// The least confidence of a reading that a longer list does not change.
    static var sureConfidence: Double { 0.8 }

    /// The words of a title that are looked at: a longer one is none.
    private static var mostTitleWords: Int { 40 }

    /// What a title says, as `Sr. iOS Engineer II`: the occupation and the seniority.
    ///
    /// A title that stands in a list counts as it is; else without its words of seniority; else the longest known title
    /// inside; else the one with which it shares most. Under a share of 0.45 it has no occupation. Where lists were imported, what our own
    /// vocabulary reads for sure counts first.
    public func reading(ofTitle title: String) -> TitleReading {
        let scanned = Array(ScannedWord.all(of: title).prefix(Self.mostTitleWords))
        guard let ownTitles else { return reading(scanned, by: knownTitles, ofImported: false) }
        let own = reading(scanned, by: ownTitles, ofImported: false)
        if own.confidence >= Self.sureConfidence { return own }
        let other = reading(scanned, by: knownTitles, ofImported: true)
        return other.confidence > own.confidence ? other : own
    }

    /// - Parameter isImported: whether words alone, of which many stand in imported lists, say nothing inside of a longer title.
    private func reading(
        _ scanned: [ScannedWord], by titles: KnownTitles, ofImported isImported: Bool
    ) -> TitleReading {
        let words = scanned.map(\.key)
        let seniority = seniority(in: words)
        if let number = titles.phrases.values(of: words).first {
            return reading(number, seniority, 1)
        }
        let plain = words.filter { Seniority.saying($0) == nil || titles.words.knows($0) && $0 == "director" }
        if let number = titles.phrases.values(of: plain).first { return reading(number, seniority, 1) }
        let hits = titles.phrases.hits(in: scanned)
        if let hit = hits.max(by: { $0.words.count < $1.words.count }),
            hit.words.count > 1 || words.count <= 4 && !isImported
        {
            return reading(hit.values[0], seniority, hit.words.count > 1 ? 0.9 : 0.8)
        }
        // "Engineer, iOS": the words in front of the comma are the noun.
        var turned = plain
        if let comma = scanned.indices.dropFirst().first(where: { scanned[$0].startsPhrase }) {
            let tail = scanned[comma...].map(\.key).filter { Seniority.saying($0) == nil }
            turned = tail + scanned[..<comma].map(\.key).filter { Seniority.saying($0) == nil }
            if let number = titles.phrases.values(of: turned).first { return reading(number, seniority, 0.9) }
        }
        guard let best = titles.words.closest(to: turned, share: 0.45) else {
            return TitleReading(occupation: nil, seniority: seniority, confidence: 0)
        }
        return reading(Int32(best.occupation), seniority, best.share * 0.8)
    }

    private func reading(_ number: Int32, _ seniority: Seniority?, _ confidence: Double) -> TitleReading {
        TitleReading(occupation: occupations[Int(number)].code, seniority: seniority, confidence: confidence)
    }

    /// The highest word of seniority; numbers count at the title's end alone.
    private func seniority(in words: [String]) -> Seniority? {
        words.enumerated().compactMap { index, word -> Seniority? in
            let isNumber = ["i", "ii", "iii", "iv", "v", "1", "2", "3", "4"].contains(word)
            if isNumber && index == 0 { return nil }
            // "Staff Nurse" and "Head Chef" are names of occupations, "Staff Engineer" and "Head of Sales" are not.
            if word == "staff",
                words.contains(where: { ["nurse", "accountant", "attorney", "pharmacist", "writer"].contains($0) })
            {
                return nil
            }
            return Seniority.saying(word)
        }.max()
    }
}
