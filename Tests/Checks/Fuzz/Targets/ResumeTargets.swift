import Matching
import Media
import Wire

/// The reader of résumés: every value of a profile stands in the text, where its place says.
enum ResumeTargets {
    private static let reader = ResumeReader(vocabulary: .builtIn)

    /// The last byte chooses between lines of plain text and words with places on pages, and whether both are read twice.
    static func resume(_ bytes: [UInt8]) throws(Broken) {
        let plain = String(decoding: bytes.dropLast(), as: UTF8.self)
        let choice = bytes.last ?? 0
        let isPlaced = choice & 1 == 1
        let text = isPlaced ? ResumeText(pages: pages(of: plain)) : ResumeText(plainText: plain)
        for line in text.lines {
            try holds(
                line.text.utf8.elementsEqual(text.text(at: line.place).utf8), "a line that is elsewhere: \(line.text)")
        }
        let byteCount = text.pages.reduce(0) { $0 + $1.utf8.count }
        try holds(isPlaced || byteCount <= ResumeText.longestText, "a text of \(byteCount) bytes")
        let profile = reader.profile(of: text)
        try holds(choice & 2 == 0 || reader.profile(of: text) == profile, "another profile the second time")
        for value in values(of: profile) { try stands(value, in: text) }
        for date in dates(of: profile) {
            try holds((1900...2200).contains(date.value.year), "the year \(date.value.year)")
            _ = try words(at: date.place, in: text)
        }
        for language in profile.languages {
            let count = try words(at: language.language.place, in: text)?.count ?? 0
            try holds(count == 1, "a language of \(count) words")
        }
        if let phone = profile.basics.phone, let place = phone.place {
            _ = try words(at: place, in: text)
            try holds(digits(phone.value) == digits(text.text(at: place)), "a number that the text does not have")
        }
        let now = PartialDate(year: 2026, month: 6)
        try holds((0...1320).contains(profile.monthsOfExperience(at: now)), "more months than a life has")
    }

    // MARK: Values and places

    /// All texts as written.
    private static func values(of profile: Profile) -> [Found<String>] {
        let basics = profile.basics
        var all = [basics.name, basics.label, basics.email, basics.url, basics.location, basics.summary]
        for work in profile.work { all += [work.position, work.name, work.location] + work.highlights }
        for school in profile.education { all += [school.institution, school.studyType, school.area] }
        all += profile.skills.map(\.name) + profile.certificates.map(\.name) + profile.languages.map(\.fluency)
        return all.compactMap(\.self)
    }

    private static func dates(of profile: Profile) -> [Found<PartialDate>] {
        let spans =
            profile.work.map { ($0.startDate, $0.endDate) } + profile.education.map { ($0.startDate, $0.endDate) }
        return (spans.flatMap { [$0, $1] } + profile.certificates.map(\.date)).compactMap(\.self)
    }

    /// Throws unless the words at a value's place are its own. A value that goes on on another page has its place on the first.
    private static func stands(_ value: Found<String>, in text: ResumeText) throws(Broken) {
        try holds((0...1).contains(value.confidence), "a confidence of \(value.confidence)")
        guard var found = try words(at: value.place, in: text) else { throw Broken("a value without a place") }
        var own = ScannedWord.all(of: value.value).map(\.key)
        // Bullets between lines, as text recognition reads them.
        found.removeAll { ["e", "o"].contains($0) }
        own.removeAll { ["e", "o"].contains($0) }
        let isWhole = text.pages.count == 1
        try holds(isWhole ? own == found : own.starts(with: found), "\(value.value) stands at \(found)")
    }

    /// The words at a place; throws unless it begins and ends with characters of its page.
    private static func words(at place: TextPlace?, in text: ResumeText) throws(Broken) -> [String]? {
        guard let place else { return nil }
        try holds(text.pages.indices.contains(place.page), "the page \(place.page)")
        let page = text.pages[place.page].utf8
        try holds(!place.bytes.isEmpty && place.bytes.upperBound <= page.count, "an invalid place: \(place)")
        let bytes = Array(page.dropFirst(place.bytes.lowerBound).prefix(place.bytes.count))
        guard let words = String(validating: bytes, as: UTF8.self) else {
            throw Broken("a place in a character: \(place)")
        }
        return ScannedWord.all(of: words).map(\.key)
    }

    /// The digits of a number, with those that text recognition takes for letters.
    private static func digits(_ text: String) -> [UInt8] {
        text.utf8.compactMap { byte in
            switch byte {
            case 0x30...0x39: byte
            case UInt8(ascii: "O"), UInt8(ascii: "o"): 0x30
            case UInt8(ascii: "l"), UInt8(ascii: "I"): 0x31
            default: nil
            }
        }
    }

    // MARK: Pages

    /// The words of each line at their columns, in letters that are 6 points wide, as the host gets them.
    private static func pages(of plain: String) -> [PageText] {
        plain.split(separator: "\u{C}", omittingEmptySubsequences: false).prefix(20).enumerated().compactMap {
            index, page in
            var text = PageText(pageIndex: index, pageCount: 20, width: 1_000, height: 14_000)
            for (row, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                // Headings are larger.
                let height = line.allSatisfy({ $0.isUppercase || $0 == " " }) ? 13.0 : 10
                var column = 0
                for word in line.split(separator: " ", omittingEmptySubsequences: false) {
                    let place = PageText.Rectangle(
                        left: Double(column) * 6, top: Double(row) * 13, width: Double(word.count) * 6, height: height)
                    if !word.isEmpty { text.words.append(PageText.Word(String(word), at: place)) }
                    column += word.count + 1
                }
            }
            // As the child that puts the words in order answers.
            return (try? PageText(parsing: text.bytes)).flatMap {
                try? PageText(parsing: ReadingOrder.arranged($0).bytes)
            }
        }
    }
}

extension ResumeTargets {
    static var resumes: [[UInt8]] {
        let one = """
            Maya Okonkwo
            Senior iOS Engineer
            Austin, TX | (512) 555-0134 | maya@example.org | github.com/mokonkwo

            SUMMARY
            Engineer with eight years of shipping apps that people like to use.

            EXPERIENCE
            Senior iOS Engineer                         Mar 2021 – Present
            Lanternfish Labs, Austin, TX
            • Rebuilt the checkout of a grocery app in SwiftUI and
              wrote its tests.
            Copperline Transit, Houston, TX | iOS Developer | 06/2018 - 02/2021

            EDUCATION
            B.S. Computer Science, University of Northfield, 2012 – 2016

            SKILLS: Swift, SwiftUI, Core Data (advanced), R and D
            CERTIFICATIONS
            AWS Certified Developer, 2022
            LANGUAGES
            English – native, Spanish – fluent
            """
        let two = """
            Jürgen Großmann, RN                  Contact
            Charge Nurse                         jg @ example.org
                                                 +49 3O 555O l234
            Experience                           Remote
            Stonegate Hospital, Denver, CO       Skills
            Charge Nurse                         Triage
            Jan – Mar 2019                       Wound Care
            - cared for six patients             IV Therapy
            Nurse at Harrow Clinic               Education
            2016-2018                            Diploma, Waldau College
            - trained eleven new nurses          2015\u{C}
            on a ward.
            """
        // A line that is parted.
        let long = "Summary\n" + String(repeating: "ran the grill for many guests ", count: 140)
        return [(one, 2), (one, 1), (two, 0), (two, 3), (long, 0)].map { Array($0.utf8) + [$1] }
    }
}
