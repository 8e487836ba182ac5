internal import Media

/// What a title says: the occupation and the seniority.
public struct TitleReading: Hashable, Sendable {
    /// The occupation's code; `nil` if no known title is close.
    public var occupation: String?
    /// What the title itself says; `nil` if it says nothing.
    public var seniority: Seniority?
    /// How certain the occupation is, 0...1; 1 if the title is in the list.
    public var confidence: Double

    /// A reading from another source of titles.
    public init(occupation: String?, seniority: Seniority?, confidence: Double) {
        self.occupation = occupation
        self.seniority = seniority
        self.confidence = confidence
    }
}

/// A known title at a place in a text.
public struct TitleMention: Hashable, Sendable {
    /// The occupation's code.
    public let occupation: String
    /// The place in UTF-8 bytes.
    public let bytes: Range<Int>
}

extension Vocabulary {
    /// The titles that a text names, in text order, the longest at each place.
    public func titles(in text: String) -> [TitleMention] {
        let words = ScannedWord.all(of: text)
        return knownTitles.phrases.hits(in: words).map { hit in
            TitleMention(
                occupation: occupations[Int(hit.values[0])].code,
                bytes: words[hit.words.lowerBound].bytes.lowerBound..<words[hit.words.upperBound - 1].bytes.upperBound)
        }
    }

    /// The minimum confidence of a reading that a longer list does not change.
    static var sureConfidence: Double { 0.8 }

    /// The words of a title that are read: a longer text is not a title.
    private static var mostTitleWords: Int { 40 }

    /// What a title such as `Sr. iOS Engineer II` says: the occupation and the seniority.
    ///
    /// The first match counts: the title in a list, the title without its seniority words, the longest known title
    /// inside, the title with the largest share. Below a share of 0.45 it has no occupation. If lists were imported, a
    /// sure reading by the vocabulary they were added to counts first.
    public func reading(ofTitle title: String) -> TitleReading {
        let scanned = Array(ScannedWord.all(of: title).prefix(Self.mostTitleWords))
        guard let ownTitles else { return reading(scanned, by: knownTitles, ofImported: false) }
        let own = reading(scanned, by: ownTitles, ofImported: false)
        if own.confidence >= Self.sureConfidence { return own }
        let other = reading(scanned, by: knownTitles, ofImported: true)
        return other.confidence > own.confidence ? other : own
    }

    /// - Parameter isImported: whether single words, which are frequent in imported lists, are ignored inside a longer
    ///   title.
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
        // "Engineer, iOS": the words before the comma are the noun.
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

    /// The highest seniority of the words; a number at the start of the title does not count.
    private func seniority(in words: [String]) -> Seniority? {
        words.enumerated().compactMap { index, word -> Seniority? in
            let isNumber = ["i", "ii", "iii", "iv", "v", "1", "2", "3", "4"].contains(word)
            if isNumber && index == 0 { return nil }
            // "Staff Nurse" and "Head Chef" are names of occupations; "Staff Engineer" and "Head of Sales" are not.
            if word == "staff",
                words.contains(where: { ["nurse", "accountant", "attorney", "pharmacist", "writer"].contains($0) })
            {
                return nil
            }
            return Seniority.saying(word)
        }.max()
    }
}
