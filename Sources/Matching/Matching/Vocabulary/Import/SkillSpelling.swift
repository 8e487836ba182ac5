internal import Media

/// Where the spellings of imported lists count: they include words such as "design" and "work", which occur in any
/// text.
enum SkillSpelling {
    /// The skill for a name in a list, without what O*NET and ESCO add for readers.
    ///
    /// "Python (computer programming)" becomes Python, and "SAP software" becomes SAP. "Structured query language SQL"
    /// becomes SQL, with the words it stands for as a synonym.
    static func skill(_ name: String, labels: [String] = []) -> Skill {
        var (short, others) = (name, labels)
        if short.hasSuffix(")"), let open = short.lastIndex(of: "("), open > short.startIndex {
            others.insert(short, at: 0)
            short = String(short[..<open]).cleaned
        }
        if short.hasSuffix(" software") {
            others.insert(short, at: 0)
            short = String(short.dropLast(" software".count))
        }
        if let space = short.lastIndex(of: " "), isAcronym(short[short.index(after: space)...]) {
            let (words, acronym) = (String(short[..<space]), String(short[short.index(after: space)...]))
            // A verb or a company in front of it is not a spelling: "use CAD", "Dassault Systemes CATIA".
            if initials(of: words) == acronym { others.insert(words, at: 0) }
            others.insert(short, at: 0)
            short = acronym
        }
        guard !ScannedWord.all(of: short).isEmpty else { return Skill(name, recognition: recognition(of: name)) }
        var seen: Set<String> = [short]
        let synonyms = others.filter { seen.insert($0).inserted }.map {
            Skill.Spelling($0, recognition: recognition(of: $0))
        }
        return Skill(short, synonyms: synonyms, recognition: recognition(of: short))
    }

    /// Three to six capitals.
    private static func isAcronym(_ word: Substring) -> Bool {
        (3...6).contains(word.utf8.count) && word.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    private static func initials(of words: String) -> String {
        words.split { $0 == " " || $0 == "-" }.compactMap(\.first).map { $0.uppercased() }.joined()
    }

    /// Several words count anywhere if at least two are meaningful. A single word counts with its capitals if it is
    /// written like a brand or an abbreviation, such as "AutoCAD" or "GIS". Any other text counts only in lists of
    /// skills.
    static func recognition(of text: String) -> Skill.Recognition {
        let words = ScannedWord.all(of: text).map(\.key)
        guard words.count == 1 else {
            return words.count { $0.utf8.count > 1 && !frequentWords.contains($0) } >= 2 ? .anywhere : .inLists
        }
        let hasSigns = text.dropFirst().contains { $0.isUppercase || $0.isNumber || "+#".contains($0) }
        return hasSigns && text.utf8.count >= 3 && ScannedWord.all(of: text)[0].bytes.count == text.utf8.count
            ? .withItsCapitals : .inLists
    }

    /// Words that occur in texts about any work.
    private static let frequentWords: Set<String> = Set(
        """
        a an and are as at be by do for from have how in into is it no not of off on or other others our own that the their them they this to
        under up use using we what when where which who with within you your
        all any application apply best business client company day department develop different employee ensure environment experience
        full general give good group help high job keep knowledge level maintain make manage member need new office part people perform
        person place position process product project provide quality related requirement respond role service set skill solution staff
        standard start support system take task team time tool type various way week work worker working workplace year
        """.split { $0 == " " || $0 == "\n" }.map { ScannedWord.stem(String($0)) })
}
