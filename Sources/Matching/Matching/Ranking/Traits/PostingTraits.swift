internal import Media

/// The facts of a posting that matching uses.
///
/// Reading them takes some 100 µs; a program that stores postings may store them as well.
public struct PostingTraits: Hashable, Sendable {
    /// The code of the title's occupation; `nil` if no known title is close.
    public var occupation: String?
    /// How certain the occupation is, 0...1.
    public var confidence: Double
    /// How senior the title is; `nil` if it says nothing.
    public var seniority: Seniority?
    /// The words of the title without seniority words.
    public var titleWords: [String]
    /// The skills that title and text name, each once, in the order of the text.
    public var skills: [String]
    /// The years of experience that the text asks for; `nil` if it asks for none.
    public var years: Int?
    /// The town; `nil` if it is not known.
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
