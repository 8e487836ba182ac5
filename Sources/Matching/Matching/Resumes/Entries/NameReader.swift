internal import Media

/// Finds the person's name among the first lines of the columns of the first page.
struct NameReader {
    let text: ResumeText
    let scores: TitleScore

    /// - Parameter email: an address that often contains the words of the name.
    func name(email: String?) -> Found<String>? {
        var best: (found: Found<String>, score: Double)?
        let lines = text.lines.filter { $0.place.page == text.lines.first?.place.page }
        let local = email.map { Self.words($0.prefix { $0 != "@" }) } ?? []
        for (index, line) in lines.enumerated() where index < 60 {
            for candidate in candidates(lines, index) {
                var score = self.score(candidate.text, local)
                guard score > 0 else { continue }
                score += min(line.size, 3) * 1.2 - Double(index) * 0.06
                if index == 0 { score += 1 }
                if score > best?.score ?? 0 {
                    let confidence = min(0.99, 0.5 + score / 12)
                    best = (Found(candidate.text, at: candidate.place, confidence: confidence), score)
                }
            }
        }
        return best?.found
    }

    private typealias Candidate = (text: String, place: TextPlace)

    /// The line's cells as names, and the line joined with the next one if both are equally large.
    private func candidates(_ lines: [ResumeText.Line], _ index: Int) -> [Candidate] {
        let line = lines[index]
        let whole = ResumeLine(line)
        guard !whole.isBullet else { return [] }
        var found: [Candidate] = []
        let pieces = whole.pieces(line: index)
        for piece in pieces.prefix(3) {
            if let name = Self.cleaned(piece) { found.append((name.text, name.place)) }
        }
        // A large name on two lines; if sizes are not known, two single words at the top.
        let isLarge = line.size > 1.3 || line.size == 1 && index == 0 && !line.text.contains(" ")
        if pieces.count == 1, isLarge, let next = lines[safe: index + 1], abs(next.size - line.size) < 0.15,
            next.place.page == line.place.page, Self.isNameShaped(next.text, most: line.size == 1 ? 1 : 3)
        {
            let place = text.place(from: line.place, to: next.place)
            let joined = line.text + " " + next.text
            if Self.isNameShaped(joined, most: 5) { found.append((joined, place)) }
        }
        return found
    }

    /// A piece without leading "Name" and titles of address, and without trailing degrees.
    private static func cleaned(_ piece: Piece) -> Piece? {
        var words: [(text: String, bytes: Range<Int>)] = []
        var offset = 0
        for word in piece.text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == " " }) {
            let length = word.utf8.count
            if length > 0 { words.append((String(word), offset..<offset + length)) }
            offset += length + 1
        }
        let titles: Set<String> = ["dr", "mr", "mrs", "ms", "prof", "name", "herr", "frau", "mx"]
        while let first = words.first, titles.contains(first.text.lowercased().filter(\.isLetter)) {
            words.removeFirst()
        }
        // "Jane Doe, RN, MSN".
        if let comma = words.firstIndex(where: { $0.text.hasSuffix(",") }), comma >= 1 {
            words = Array(words[...comma])
            words[comma].text.removeLast()
            words[comma].bytes = words[comma].bytes.lowerBound..<words[comma].bytes.upperBound - 1
        }
        let degrees: Set<String> = [
            "phd", "md", "rn", "mba", "cpa", "pe", "pmp", "bsn", "esq", "msn", "lpn", "cfa", "msc", "bsc", "mph", "jd",
        ]
        while words.count > 2, let last = words.last, degrees.contains(last.text.lowercased().filter(\.isLetter)) {
            words.removeLast()
        }
        guard let first = words.first, let last = words.last,
            let part = piece.part(first.bytes.lowerBound..<last.bytes.upperBound),
            isNameShaped(part.text, most: 6)
        else { return nil }
        return part
    }

    /// One to `most` words of letters, each with a capital except particles.
    private static func isNameShaped(_ text: String, most: Int) -> Bool {
        let words = text.split(separator: " ")
        guard (1...most).contains(words.count) else { return false }
        let particles: Set<String> = [
            "de", "da", "do", "dos", "das", "del", "della", "di", "du", "van", "von", "der", "den", "la", "le", "bin",
            "al", "el",
            "ter", "y", "e", "zu", "ibn", "af", "ul", "ten", "san", "bint",
        ]
        var capitals = 0
        for word in words {
            guard word.allSatisfy({ $0.isLetter || "'’.-‐‑\"“”()`".contains($0) }), word.contains(where: \.isLetter)
            else {
                return false
            }
            if particles.contains(word.lowercased()) { continue }
            // Scripts without capitals have names too.
            guard let letter = word.first(where: \.isLetter), letter.isUppercase || !letter.isLowercase else {
                return false
            }
            capitals += 1
        }
        return capitals >= 1
    }

    private func score(_ text: String, _ local: [String]) -> Double {
        let words = Self.words(text[...])
        guard !words.isEmpty, HeadingWords.kind(of: text) == nil, !PlaceReader.isPlace(text) else { return 0 }
        let title = scores.title(text)
        if title >= 0.6 { return 0 }
        if scores.vocabulary.skill(spelled: text) != nil || DegreeReader.isInstitution(text) { return 0 }
        var score = words.count >= 2 ? 2.0 : 0.2
        if words.count > 4 { score -= 0.5 }
        score -= title + max(0, scores.employer(text) - 0.3) * 2
        // j.doe, janedoe, doe-jane.
        let joined = local.joined()
        let matching = words.count { word in word.count > 1 && joined.contains(word) }
        score += Double(matching) * 2
        if words.contains(where: { $0.count > 1 && joined.contains($0) }), let first = words.first?.first,
            joined.first == first
        {
            score += 0.5
        }
        return score
    }

    /// Folded words of letters.
    private static func words(_ text: Substring) -> [String] {
        String(text).folded.split { !$0.isLetter }.map(String.init)
    }
}
