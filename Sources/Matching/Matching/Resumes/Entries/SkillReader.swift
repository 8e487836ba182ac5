internal import Media

/// Reads the items of lists of skills, known or not, and known skills in sentences.
struct SkillReader {
    let text: ResumeText
    let vocabulary: Vocabulary

    /// The items of a section of skills.
    func listed(in lines: [ResumeLine]) -> [ProfileSkill] {
        var skills: [ProfileSkill] = []
        // The last item of the line above, and the number of skills that it gave.
        var open: (piece: Piece, line: ResumeLine, count: Int)?
        for (index, line) in lines.enumerated() {
            if line.isProse, Self.separatorCount(line.text) < 2 {
                skills += mentioned(in: line, isListed: true)
                open = nil
                continue
            }
            var items = items(of: line, index)
            // An item that continues on the next line: the line was full, and no separator ends it.
            if let last = open, !line.isBullet, let first = items.first, last.line.line.column == line.line.column,
                last.piece.text.utf8.count <= Self.longestWrapped,
                first.place.page == last.piece.place.page,
                first.place.bytes.lowerBound == last.piece.place.bytes.upperBound + 1, goesOn(last.line, with: line)
            {
                let place = text.place(from: last.piece.place, to: first.place)
                let words = last.piece.text + " " + first.text
                skills.removeLast(last.count)
                items[0] = Piece(text: words, place: place, line: index)
            }
            let made = items.map(skill)
            skills += made.joined()
            let count = made.last?.count ?? 0
            open = count == 0 || Self.endsItem(line.text) ? nil : items.last.map { ($0, line, count) }
        }
        return skills
    }

    /// A longer item does not continue on another line.
    private static let longestWrapped = 400

    private static func endsItem(_ text: String) -> Bool { text.last.map { ",;|.•·".contains($0) } ?? true }

    /// Whether the last item of a line continues on the next one: no separator is at the break, and the line is full.
    private func goesOn(_ line: ResumeLine, with next: ResumeLine) -> Bool {
        guard Self.separatorCount(line.text) > 1, !next.line.startsBlock,
            next.text.first.map({ !"|,;•·".contains($0) }) == true, !next.text.contains(":"), !line.text.contains("\t"),
            let last = items(of: line, 0).last?.text, let first = items(of: next, 0).first?.text
        else { return false }
        if vocabulary.skill(spelled: last + " " + first) != nil || next.startsLowercase { return true }
        let areKnown = vocabulary.skill(spelled: last) != nil && vocabulary.skill(spelled: first) != nil
        return line.line.left != nil && line.line.fullness > 0.75 && !areKnown
    }

    private static func separatorCount(_ text: String) -> Int {
        text.utf8.count { ",;|\t".utf8.contains($0) } + text.count { "•·●".contains($0) }
    }

    /// The items of a line after a label and its colon, split at commas, bars, bullets and tabs outside brackets.
    private func items(of line: ResumeLine, _ index: Int) -> [Piece] {
        let bytes = Array(line.line.text.utf8)
        var pieces: [Piece] = []
        var start = line.body.lowerBound
        var depth = 0
        func close(_ end: Int) {
            let whole = Piece(text: line.line.text, place: line.line.place, line: index)
            if start < end, let piece = whole.part(start..<end) { pieces.append(piece) }
        }
        var position = start
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth = max(0, depth - 1) }
            let length = depth > 0 ? 0 : Self.separatorLength(bytes, position)
            // The text before a label's colon is not an item.
            let isColon = byte == UInt8(ascii: ":") && (position + 1 == bytes.count || bytes[position + 1] <= 0x20)
            if isColon, depth == 0 { start = position + 1 }
            if length > 0 {
                close(position)
                start = position + length
                position += length
            } else {
                position += 1
            }
        }
        close(bytes.count)
        return isLabelled(pieces, line) ? Array(pieces.dropFirst()) : pieces
    }

    /// "Tools <tab> Swift, Kotlin": the first cell names the list.
    private func isLabelled(_ pieces: [Piece], _ line: ResumeLine) -> Bool {
        let cells = line.cells
        guard cells.count == 2, pieces.count > 2, let first = pieces.first else { return false }
        return line.line.text[bytes: cells[1]].contains(",") && !line.line.text[bytes: cells[0]].contains(",")
            && vocabulary.skill(spelled: first.text) == nil
    }

    private static func separatorLength(_ bytes: [UInt8], _ index: Int) -> Int {
        switch bytes[index] {
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"), 0x09: return 1
        case UInt8(ascii: "/")
        where index > 0 && index + 1 < bytes.count && bytes[index - 1] == 0x20 && bytes[index + 1] == 0x20:
            return 1
        case 0xC2 where index + 1 < bytes.count && bytes[index + 1] == 0xB7: return 2
        case 0xE2 where index + 2 < bytes.count && bytes[index + 1] == 0x80 && bytes[index + 2] == 0xA2: return 3
        case 0xE2
        where index + 2 < bytes.count && bytes[index + 1] == 0x97 && [0x8F, 0x86, 0x8B].contains(bytes[index + 2]):
            return 3
        case 0xE2
        where index + 2 < bytes.count && bytes[index + 1] == 0x96 && [0xAA, 0xA0, 0xAB].contains(bytes[index + 2]):
            return 3
        default: return 0
        }
    }

    /// The skills of an item: two if "and" joins known skills.
    private func skill(_ piece: Piece) -> [ProfileSkill] {
        guard let cleaned = cleaned(piece) else { return [] }
        if let known = vocabulary.skill(spelled: cleaned.text) { return [make(cleaned, known.name)] }
        for separator in [" and ", " & "] {
            guard let range = cleaned.text.firstRange(of: separator) else { continue }
            let start = cleaned.text.utf8.distance(from: cleaned.text.startIndex, to: range.lowerBound)
            let end = start + separator.utf8.count
            guard let first = cleaned.part(0..<start), let second = cleaned.part(end..<cleaned.text.utf8.count) else {
                continue
            }
            let knownFirst = vocabulary.skill(spelled: first.text)?.name
            let knownSecond = vocabulary.skill(spelled: second.text)?.name
            if knownFirst != nil, knownSecond != nil { return [make(first, knownFirst), make(second, knownSecond)] }
        }
        guard cleaned.text.split(separator: " ").count <= 6 else {
            return mentions(in: cleaned, isListed: true)
        }
        return [make(cleaned, nil)]
    }

    private func make(_ piece: Piece, _ known: String?) -> ProfileSkill {
        ProfileSkill(
            name: Found(piece.text, at: piece.place, confidence: known == nil ? 0.75 : 0.97), known: known,
            isListed: true)
    }

    /// The item without leading bullets and "and", and without trailing levels in brackets, stars and years.
    private func cleaned(_ piece: Piece) -> Piece? {
        var piece = piece
        let lead = piece.text.unicodeScalars.prefix { scalar in
            !(scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == ".")
        }
        if !lead.isEmpty {
            guard let part = piece.part(String(lead).utf8.count..<piece.text.utf8.count) else { return nil }
            piece = part
        }
        if piece.text.hasPrefix("and "), let part = piece.part(4..<piece.text.utf8.count) { piece = part }
        var end = piece.text.utf8.count
        if let bracket = piece.text.firstIndex(of: "("), bracket > piece.text.startIndex {
            let content = piece.text[bracket...].dropFirst().filter { $0 != ")" }
            if Self.isLevel(String(content)) {
                end = piece.text.utf8.distance(from: piece.text.startIndex, to: bracket)
            }
        }
        for dash in [" - ", " – ", " — "] {
            if let range = piece.text.firstRange(of: dash), Self.isLevel(String(piece.text[range.upperBound...])) {
                end = min(end, piece.text.utf8.distance(from: piece.text.startIndex, to: range.lowerBound))
            }
        }
        guard let part = piece.part(0..<end) else { return nil }
        let kept = part.text.unicodeScalars.reversed().drop { scalar in
            !(scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "+#)".unicodeScalars.contains(scalar))
        }
        let length = kept.reduce(0) { $0 + UTF8.width($1) }
        guard let result = part.part(0..<length), result.text.contains(where: { $0.isLetter }),
            !result.text.contains("@"), !Self.isLevel(result.text)
        else { return nil }
        return result
    }

    private static func isLevel(_ text: String) -> Bool {
        let words = ScannedWord.all(of: text).map(\.key)
        let levels: Set<String> = [
            "advanced", "intermediate", "beginner", "expert", "proficient", "basic", "fluent", "year", "yr", "yrs",
            "experienced",
            "familiar", "working", "knowledge", "strong", "skilled", "excellent", "good", "level", "and", "of", "with",
            "novice",
            "native", "certified",
        ]
        return !words.isEmpty && words.allSatisfy { levels.contains($0) || Int($0.filter { $0 != "+" }) != nil }
    }

    /// The known skills in a line's sentence.
    func mentioned(in line: ResumeLine, isListed: Bool = false) -> [ProfileSkill] {
        mentions(in: Piece(text: line.line.text, place: line.line.place, line: 0), isListed: isListed)
    }

    private func mentions(in piece: Piece, isListed: Bool) -> [ProfileSkill] {
        vocabulary.skills(in: piece.text, isList: isListed).compactMap { mention in
            piece.part(mention.bytes).map {
                ProfileSkill(
                    name: Found($0.text, at: $0.place, confidence: isListed ? 0.9 : 0.7), known: mention.name,
                    isListed: isListed)
            }
        }
    }

    /// Skills without repetitions: a listed skill replaces its mentions elsewhere.
    static func distinct(_ skills: [ProfileSkill]) -> [ProfileSkill] {
        var seen: Set<String> = []
        return skills.filter { skill in
            let key = (skill.known ?? skill.name.value).split(separator: " ").joined(separator: " ").lowercased()
            return seen.insert(key).inserted
        }
    }
}
