internal import Media

/// What a posting says that matches are made of.
///
/// It takes some 100 µs to read; whoever stores postings may store it with them.
public struct PostingTraits: Hashable, Sendable {
    /// The code of the title's occupation; `nil` where no known title is near.
    public var occupation: String?
    /// How sure the occupation is, 0...1.
    public var confidence: Double
    /// How far up the title stands; `nil` where it says nothing.
    public var seniority: Seniority?
    /// The words of the title without those of seniority.
    public var titleWords: [String]
    /// The skills that title and text name, each once, in the order of the text.
    public var skills: [String]
    /// The years of experience that the text asks for; `nil` where it asks for none.
    public var years: Int?
    /// The town; `nil` where it is not known.
    public var place: Place?

    /// Reads a posting.
    public init(of posting: Posting, vocabulary: Vocabulary, gazetteer: Gazetteer) {
        let reading = vocabulary.reading(ofTitle: posting.title)
        occupation = reading.occupation
        confidence = reading.confidence
        seniority = reading.seniority
        titleWords = ScannedWord.all(of: posting.title).map(\.key).filter { Seniority.saying($0) == nil }
        var seen: Set<String> = []
        skills = (vocabulary.skills(in: posting.title) + vocabulary.skills(in: posting.text)).map(\.name)
            .filter { seen.insert($0).inserted }
        years = YearsAsked(in: posting.text, words: ScannedWord.all(of: posting.text))?.years
        place = gazetteer.place(posting.location)
    }
}
