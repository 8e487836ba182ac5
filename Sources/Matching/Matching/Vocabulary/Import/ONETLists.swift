internal import Media

/// Reads the text files of the O*NET database: tab-separated, with names in the first line.
///
/// The files have more columns than are read here, in an order that may change: columns are found by name. O*NET's data
/// is under CC BY 4.0; anyone who imports it must show its notice.
public struct ONETLists: Sendable {
    /// A report on the rows of each file.
    public private(set) var reports: [ImportReport] = []
    private var occupations: [Occupation] = []
    private var numbers: [String: Int] = [:]
    private var skills: [Skill] = []
    /// Skill names, by the names in the files.
    private var skillNames: [String: String] = [:]

    /// - Parameter occupationData: the bytes of `Occupation Data.txt`.
    public init(occupationData: [UInt8]) throws(VocabularyError) {
        try read("Occupation Data.txt", occupationData, needs: ["O*NET-SOC Code", "Title"]) { lists, row in
            let (code, name) = (row[0].cleaned, row[1].cleaned)
            guard !code.isEmpty, !name.isEmpty else { return .noName }
            guard lists.numbers[code] == nil else { return .double }
            lists.numbers[code] = lists.occupations.count
            // The first two digits are the major group of the Standard Occupational Classification.
            lists.occupations.append(Occupation(code: code, name: name, field: String(code.prefix(2))))
            return nil
        }
        guard !occupations.isEmpty else { throw VocabularyError(line: 1, reason: .noRows) }
    }

    /// Adds the alternative titles, with their short forms, from `Alternate Titles.txt`.
    public mutating func addTitles(_ bytes: [UInt8]) throws(VocabularyError) {
        let needed = ["O*NET-SOC Code", "Alternate Title"]
        try read("Alternate Titles.txt", bytes, needs: needed, asks: ["Short Title"]) { lists, row in
            guard let number = lists.numbers[row[0]] else { return .unknownOccupation(row[0]) }
            for title in row[1...].map(\.cleaned) where !title.isEmpty && title != "n/a" {
                lists.occupations[number].titles.append(title)
            }
            return nil
        }
    }

    /// Adds the related occupations of the primary tiers from `Related Occupations.txt`.
    public mutating func addRelated(_ bytes: [UInt8]) throws(VocabularyError) {
        let needed = ["O*NET-SOC Code", "Related O*NET-SOC Code"]
        try read("Related Occupations.txt", bytes, needs: needed, asks: ["Relatedness Tier"]) { lists, row in
            guard let number = lists.numbers[row[0]] else { return .unknownOccupation(row[0]) }
            guard lists.numbers[row[1]] != nil else { return .unknownOccupation(row[1]) }
            if !row[2].hasPrefix("Supplemental") { lists.occupations[number].related.append(row[1]) }
            return nil
        }
    }

    /// Adds products as skills from `Technology Skills.txt`.
    public mutating func addTechnologySkills(_ bytes: [UInt8]) throws(VocabularyError) {
        try read("Technology Skills.txt", bytes, needs: ["O*NET-SOC Code", "Example"]) { lists, row in
            lists.add(row[1].cleaned, toOccupation: row[0])
        }
    }

    /// Adds general skills whose importance (scale `IM`) is at least 3 of 5, from `Skills.txt`.
    public mutating func addSkills(_ bytes: [UInt8]) throws(VocabularyError) {
        let needed = ["O*NET-SOC Code", "Element Name", "Scale ID", "Data Value"]
        try read("Skills.txt", bytes, needs: needed) { lists, row in
            guard row[2] == "IM" else { return nil }
            guard let value = Double(row[3]) else { return .noNumber(row[3]) }
            return value >= 3 ? lists.add(row[1].cleaned, toOccupation: row[0]) : nil
        }
    }

    /// Everything that was added, without titles that identify no single occupation.
    public var lists: VocabularyLists {
        var lists = VocabularyLists(occupations: occupations, skills: skills)
        lists.clearTitles()
        return lists
    }

    private mutating func add(_ name: String, toOccupation code: String) -> ImportReport.Reason? {
        guard let number = numbers[code] else { return .unknownOccupation(code) }
        guard !name.isEmpty else { return .noName }
        if skillNames[name] == nil {
            let skill = SkillSpelling.skill(name)
            skillNames[name] = skill.name
            skills.append(skill)
        }
        occupations[number].skills.append(skillNames[name]!)
        return nil
    }

    private mutating func read(
        _ file: String, _ bytes: [UInt8], needs needed: [String], asks others: [String] = [],
        _ take: (inout ONETLists, [String]) -> ImportReport.Reason?
    ) throws(VocabularyError) {
        var report = ImportReport(file: file)
        var table = try ImportTable(bytes, .tabs, needs: needed)
        table.read(needed + others, &report) { take(&self, $0) }
        reports.append(report)
    }
}
