internal import Media

/// Distinguishes degrees and schools from other names.
enum DegreeReader {
    /// A degree and its subject within a piece.
    struct Degree: Hashable {
        let type: Piece
        let area: Piece?
    }

    /// The degree at the beginning of a piece, or after its subject ("Computer Science, B.Sc.").
    static func degree(in piece: Piece) -> Degree? {
        let bytes = Array(piece.text.utf8)
        let words = ScannedWord.all(of: piece.text)
        guard let (first, last) = degreeWords(words, piece.text, bytes) else { return nil }
        var typeEnd = words[last].bytes.upperBound
        if typeEnd < bytes.count, bytes[typeEnd] == UInt8(ascii: ".") { typeEnd += 1 }
        // "Associate Degree in Nursing (ADN)".
        let type = sub(piece, words[first].bytes.lowerBound..<typeEnd)
        if last + 1 < words.count, let area = area(piece, from: last + 1, words, bytes) {
            return Degree(type: type, area: area)
        }
        if first > 0 {
            let area = sub(piece, words[0].bytes.lowerBound..<words[first - 1].bytes.upperBound)
            return Degree(type: type, area: area.text.contains(where: \.isLetter) ? area : nil)
        }
        return Degree(type: type, area: nil)
    }

    private static func sub(_ piece: Piece, _ range: Range<Int>) -> Piece {
        let start = piece.place.bytes.lowerBound
        return Piece(
            text: piece.text[bytes: range],
            place: TextPlace(page: piece.place.page, bytes: start + range.lowerBound..<start + range.upperBound),
            line: piece.line)
    }

    /// The subject from a word on, without "in" and without what follows a comma or a bracket.
    private static func area(_ piece: Piece, from first: Int, _ words: [ScannedWord], _ bytes: [UInt8]) -> Piece? {
        var start = first
        while start < words.count, ["in", "of", "with", "degree", "en", "major", "im", "fh"].contains(words[start].key)
        { start += 1 }
        guard start < words.count else { return nil }
        var end = start
        while end + 1 < words.count {
            let next = words[end + 1]
            let between = bytes[words[end].bytes.upperBound..<next.bytes.lowerBound]
            if between.contains(where: { ",;(|".utf8.contains($0) }) { break }
            if ["minor", "gpa", "with", "honor", "cum", "magna", "summa", "from", "at"].contains(next.key) { break }
            end += 1
        }
        let area = sub(piece, words[start].bytes.lowerBound..<words[end].bytes.upperBound)
        return ["gpa", "honor", "cum", "magna", "minor", "first", "class"].contains(words[start].key)
            || !area.text.contains(where: \.isLetter)
            ? nil : area
    }

    /// The words of a degree: its level, followed by "of Science" and the like.
    private static func degreeWords(
        _ words: [ScannedWord], _ text: String, _ bytes: [UInt8]
    ) -> (first: Int, last: Int)? {
        var isAssociates: Bool?
        for (index, word) in words.enumerated() {
            // "B.S.", "Ph.D.": letters with dots between them.
            if let last = pointed(words, from: index, text, bytes) { return (index, extended(words, index, last)) }
            if abbreviations.contains(word.key), isCapital(text, word) { return (index, extended(words, index, index)) }
            if levels.contains(word.key), !isOfWork(words, index) {
                // "Electrical Apprenticeship Certificate": the words before the last word of a piece name it.
                if ["certificate", "diploma"].contains(words.last!.key), words.count <= 5, index > 0 || words.count > 1,
                    words[words.count - 1].bytes.upperBound == text.utf8.count
                {
                    return (0, words.count - 1)
                }
                return (index, extended(words, index, index))
            }
            if word.key == "high", index + 2 < words.count, words[index + 1].key == "school",
                ["diploma", "certificate", "degree"].contains(words[index + 2].key)
            {
                return (index, index + 2)
            }
            if word.key == "associate", index + 1 < words.count {
                let isBeforeField = ["degree", "of", "in", "s"].contains(words[index + 1].key)
                let isPossessive = isAssociates ?? (text.contains("ssociate's") || text.contains("ssociate’s"))
                isAssociates = isPossessive
                if isBeforeField || isPossessive { return (index, extended(words, index, index)) }
            }
        }
        return nil
    }

    /// "Master Electrician" and "Doctor on call" are not degrees.
    private static func isOfWork(_ words: [ScannedWord], _ index: Int) -> Bool {
        guard ["master", "doctor"].contains(words[index].key), let next = words[safe: index + 1] else { return false }
        return !["of", "in", "s", "degree", "diploma"].contains(next.key) && !next.startsPhrase
    }

    /// Whether a name begins with a degree.
    static func startsWithDegree(_ text: String) -> Bool {
        let piece = Piece(text: text, place: TextPlace(page: 0, bytes: 0..<text.utf8.count), line: 0)
        return degree(in: piece).map { $0.type.place.bytes.lowerBound < 3 } ?? false
    }

    private static func isCapital(_ text: String, _ word: ScannedWord) -> Bool {
        text[bytes: word.bytes].first?.isUppercase == true
    }

    private static func pointed(
        _ words: [ScannedWord], from index: Int, _ text: String, _ bytes: [UInt8]
    ) -> Int? {
        var joined = ""
        for last in index..<min(index + 3, words.count) {
            guard words[last].key.count <= 4, isCapital(text, words[last]) else { return nil }
            if last > index {
                let between = bytes[words[last - 1].bytes.upperBound..<words[last].bytes.lowerBound]
                guard between.first == UInt8(ascii: "."), between.count <= 2 else { return nil }
            }
            joined += words[last].key
            let next =
                last + 1 < words.count
                ? bytes[words[last].bytes.upperBound] == UInt8(ascii: ".") && words[last + 1].key.count <= 3
                    && words[last + 1].bytes.lowerBound - words[last].bytes.upperBound == 1 : false
            let isKnown = abbreviations.contains(joined) || last == index + 1 && ["b", "m"].contains(words[index].key)
            if last > index, isKnown, !next { return last }
        }
        return nil
    }

    /// Adds "'s degree", "of Science", "of Arts" and "of Business Administration", but not "in".
    private static func extended(_ words: [ScannedWord], _ first: Int, _ last: Int) -> Int {
        var end = last
        func key(_ index: Int) -> String? { words[safe: index]?.key }
        if key(end + 1) == "s" { end += 1 }
        if key(end + 1) == "degree" { end += 1 }
        if key(end + 1) == "of", let field = key(end + 2), faculties.contains(field) {
            end += 2
            if field == "business", key(end + 1) == "administration" { end += 1 }
            if field == "applied", let next = key(end + 1), faculties.contains(next) { end += 1 }
            if field == "fine", let next = key(end + 1), ["art", "arts"].contains(next) { end += 1 }
        }
        return end
    }

    private static let faculties: Set<String> = [
        "science", "art", "engineering", "business", "education", "fine", "applied", "nursing", "law", "philosophy",
        "technology", "commerce", "architecture", "medicine", "music", "social", "public", "computer", "design",
        "pharmacy",
        "accounting", "accountancy", "law",
    ]

    private static let levels: Set<String> = Set(
        """
        bachelor master doctor doctorate diploma diplom diplome licence licenciatura ingeniero magister mgr staatsexamen
        abitur baccalaureate maturitat ausbildung phd mba ged hnd laurea grado maestria inzynier magisterstudium mbo
        certificate apprenticeship msc bsc baccalaureat dottorato
        """.split { $0 == " " || $0 == "\n" }.map { ScannedWord.stem(String($0)) })

    private static let abbreviations: Set<String> = Set(
        """
        bs bsc ba ms msc ma mba phd jd md beng meng bba bcom mcom bfa mfa aa as aas aos bed med llb llm bsn msn adn bse
        mse btech mtech barch march dba edd pharmd dpt mph mpa msw bsw ged dipl ba mphil mres bas mpharm dvm
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    /// Whether a name is that of a school.
    static func isInstitution(_ text: String) -> Bool {
        let words = ScannedWord.all(of: text)
        guard (1...12).contains(words.count) else { return false }
        if words.contains(where: { $0.key == "high" }),
            words.contains(where: { ["diploma", "degree"].contains($0.key) })
        {
            return false
        }
        guard text.last != ".", text.first?.isUppercase == true else { return false }
        return words.contains { word in
            isCapital(text, word) && isSchool(word)
        }
    }

    private static func isSchool(_ word: ScannedWord) -> Bool {
        schools.contains(word.key) || word.key.hasSuffix("universitat") || word.key.hasSuffix("hochschule")
            || word.key.hasSuffix("schule") || word.key.hasSuffix("gymnasium")
    }

    private static let schools: Set<String> = Set(
        """
        university universitat universite universidad universidade universita uniwersytet universiteit college institute
        institut instituto school academy hochschule polytechnic politecnico politechnika polytechnique ecole escuela
        conservatory seminary lycee liceo gymnasium fachhochschule tech faculty eth mit ucla technikum berufsschule
        bootcamp kth caltech akademie academia berufskolleg
        """.split { $0 == " " || $0 == "\n" }.map { ScannedWord.stem(String($0)) })
}
