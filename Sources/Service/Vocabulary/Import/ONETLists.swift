/// Reads the text files of the O*NET database: tab-separated, with names in the first line.
///
/// The files have more columns than are read here, and their order may change; the names count. O*NET's data is under
/// CC BY 4.0, whose note whoever imports it has to show.
public struct ONETLists: Sendable {
    private var occupations: [Occupation] = []
    private var numbers: [String: Int] = [:]

    /// - Parameter occupationData: the bytes of `Occupation Data.txt`.
    public init(occupationData: [UInt8]) throws(VocabularyError) {
        var table = try ImportTable(.tabs(occupationData), needs: ["O*NET-SOC Code", "Title"])
        while let row = table.next("O*NET-SOC Code", "Title") {
            guard !row[0].isEmpty, !row[1].isEmpty, numbers[row[0]] == nil else { continue }
            numbers[row[0]] = occupations.count
            // The first two digits are the major group of the Standard Occupational Classification.
            occupations.append(Occupation(code: row[0], name: row[1], field: String(row[0].prefix(2))))
        }
    }

    /// Takes the other titles in, with their short forms, from `Alternate Titles.txt`.
    public mutating func addTitles(_ bytes: [UInt8]) throws(VocabularyError) {
        var table = try ImportTable(.tabs(bytes), needs: ["O*NET-SOC Code", "Alternate Title"])
        while let row = table.next("O*NET-SOC Code", "Alternate Title", "Short Title") {
            guard let number = numbers[row[0]] else { continue }
            for title in row[1...] where !title.isEmpty && title != "n/a" { occupations[number].titles.append(title) }
        }
    }

    /// Takes the related occupations in, from `Related Occupations.txt`; of its tiers, the primary ones.
    public mutating func addRelated(_ bytes: [UInt8]) throws(VocabularyError) {
        var table = try ImportTable(.tabs(bytes), needs: ["O*NET-SOC Code", "Related O*NET-SOC Code"])
        while let row = table.next("O*NET-SOC Code", "Related O*NET-SOC Code", "Relatedness Tier") {
            guard let number = numbers[row[0]], numbers[row[1]] != nil, !row[2].hasPrefix("Supplemental") else {
                continue
            }
            occupations[number].related.append(row[1])
        }
    }

    /// Takes products in as skills, from `Technology Skills.txt`.
    public mutating func addTechnologySkills(_ bytes: [UInt8]) throws(VocabularyError) {
        var table = try ImportTable(.tabs(bytes), needs: ["O*NET-SOC Code", "Example"])
        while let row = table.next("O*NET-SOC Code", "Example") {
            guard let number = numbers[row[0]], !row[1].isEmpty else { continue }
            occupations[number].skills.append(row[1])
        }
    }

    /// Takes general skills in whose importance (scale `IM`) is at least 3 of 5, from `Skills.txt`.
    public mutating func addSkills(_ bytes: [UInt8]) throws(VocabularyError) {
        var table = try ImportTable(
            .tabs(bytes), needs: ["O*NET-SOC Code", "Element Name", "Scale ID", "Data Value"])
        while let row = table.next("O*NET-SOC Code", "Element Name", "Scale ID", "Data Value") {
            guard let number = numbers[row[0]], row[2] == "IM", let value = Double(row[3]), value >= 3 else { continue }
            occupations[number].skills.append(row[1])
        }
    }

    /// A vocabulary of all that was taken in.
    ///
    /// - Parameter skills: synonyms of skills, such as those of the built-in list.
    public func vocabulary(skills: [Skill] = []) -> Vocabulary {
        Vocabulary(occupations: occupations, skills: skills)
    }
}
