internal import Media

/// The level of studies that a degree names.
enum DegreeLevel: Int, Comparable {
    case associate
    case bachelor
    case master
    case doctor

    static func < (first: DegreeLevel, second: DegreeLevel) -> Bool { first.rawValue < second.rawValue }

    /// The level that the words of a degree name: "B.S.", "Master of Science", "Diplom"; `nil` for other words.
    init?(_ words: [String]) {
        // "B.S." has two words, "BSc" one.
        let joined = words.prefix(3).joined()
        if let level = words.compactMap({ Self.names[$0] }).max() ?? Self.names[joined]
            ?? Self.names[words.prefix(2).joined()]
        {
            self = level
        } else {
            return nil
        }
    }

    static let names: [String: DegreeLevel] = [
        "associate": .associate, "aas": .associate, "bachelor": .bachelor, "bs": .bachelor, "ba": .bachelor,
        "bsc": .bachelor, "bba": .bachelor, "bed": .bachelor, "beng": .bachelor, "bfa": .bachelor, "bsn": .bachelor,
        "master": .master, "ms": .master, "ma": .master, "msc": .master, "mba": .master, "meng": .master,
        "mdes": .master, "med": .master, "diplom": .master, "phd": .doctor, "doctor": .doctor, "doctorate": .doctor,
    ]
}

/// The degree that a posting asks for, and where it says so.
struct DegreeAsked: Hashable {
    let level: DegreeLevel
    /// The words of the degree with its subject, in bytes of the posting's text.
    let bytes: Range<Int>

    /// The first phrase with "degree" after a word of a level, such as "Bachelor's degree in Computer Science"; `nil`
    /// if there is none. "No degree required" does not count.
    ///
    /// - Parameter words: the words of the text.
    init?(in text: String, words: [ScannedWord]) {
        let source = Array(text.utf8)
        for index in words.indices where words[index].key == "degree" {
            let start = max(0, index - 3)
            guard let first = (start..<index).first(where: { Self.levels[words[$0].key] != nil }),
                let level = Self.levels[words[first].key]
            else { continue }
            guard !Self.isWaived(first...index, words, source) else { continue }
            var end = index + 1
            // "in" and up to four words of the subject, in the same phrase.
            while end < words.count, end - index <= 5, !words[end].startsPhrase { end += 1 }
            self.level = level
            bytes = words[first].bytes.lowerBound..<words[end - 1].bytes.upperBound
            return
        }
        return nil
    }

    /// Whether the sentence says that a degree is not needed: "no degree", "degree is not required".
    private static func isWaived(_ degree: ClosedRange<Int>, _ words: [ScannedWord], _ source: [UInt8]) -> Bool {
        func isSentence(_ first: Int, _ second: Int) -> Bool {
            let between = source[words[first].bytes.upperBound..<words[second].bytes.lowerBound]
            return !between.contains { [0x0A, UInt8(ascii: "!"), UInt8(ascii: "."), UInt8(ascii: ";")].contains($0) }
        }
        var start = degree.lowerBound
        while start > 0, degree.lowerBound - start < 4, !words[start].startsPhrase, isSentence(start - 1, start) {
            start -= 1
        }
        if words[start..<degree.lowerBound].contains(where: { refusals.contains($0.key) }) { return true }
        var end = degree.upperBound
        while end + 1 < words.count, end - degree.upperBound < 8, isSentence(end, end + 1) { end += 1 }
        let behind = words[(degree.upperBound + 1)..<(end + 1)].map(\.key)
        if behind.contains("unnecessary") || behind.contains("optional") { return true }
        // "Degree required, travel not required": the first demand refers to the degree.
        guard let demand = behind.firstIndex(where: demands.contains) else { return false }
        return behind[max(0, demand - 3)..<demand].contains { $0 == "not" } || demand > 0 && behind[demand - 1] == "no"
    }

    private static let refusals: Set<String> = ["don", "no", "not", "without"]

    private static let demands: Set<String> = [
        "required", "requirement", "necessary", "needed", "need", "must", "mandatory", "essential", "expected",
    ]

    private static let levels: [String: DegreeLevel] = [
        "associate": .associate, "bachelor": .bachelor, "master": .master, "doctoral": .doctor, "doctorate": .doctor,
    ]
}
