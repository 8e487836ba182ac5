/// Reads the CSV files of ESCO, the European classification: `occupations_en.csv`, `skills_en.csv` and
/// `occupationSkillRelations_en.csv`.
///
/// Alternative titles and labels share one field, one per line. Occupations of the same ISCO group count as related,
/// because ESCO's files name no relations between occupations.
public struct ESCOLists: Sendable {
    /// A report on the rows of each file.
    public private(set) var reports: [ImportReport] = []
    private var occupations: [Occupation] = []
    private var numbers: [String: Int] = [:]
    private var skills: [Skill] = []
    private var skillNames: [String: String] = [:]

    /// - Parameter occupations: the bytes of `occupations_en.csv`.
    public init(occupations bytes: [UInt8]) throws(VocabularyError) {
        let needed = ["conceptUri", "preferredLabel", "altLabels"]
        try read("occupations_en.csv", bytes, needs: needed, asks: ["iscoGroup"]) { lists, row in
            let (code, name) = (row[0].cleaned, row[1].cleaned)
            guard !code.isEmpty, !name.isEmpty else { return .noName }
            guard lists.numbers[code] == nil else { return .double }
            lists.numbers[code] = lists.occupations.count
            lists.occupations.append(
                Occupation(code: code, name: name, field: row[3].cleaned, titles: Self.labels(row[2])))
            return nil
        }
        guard !occupations.isEmpty else { throw VocabularyError(line: 1, reason: .noRows) }
        let groups = Dictionary(grouping: occupations.filter { !$0.field.isEmpty }, by: \.field)
        for index in occupations.indices {
            let code = occupations[index].code
            occupations[index].related = (groups[occupations[index].field] ?? []).map(\.code).filter { $0 != code }
        }
    }

    /// Adds skills with their alternative labels from `skills_en.csv`.
    public mutating func addSkills(_ bytes: [UInt8]) throws(VocabularyError) {
        try read("skills_en.csv", bytes, needs: ["conceptUri", "preferredLabel", "altLabels"]) { lists, row in
            let (code, name) = (row[0].cleaned, row[1].cleaned)
            guard !code.isEmpty, !name.isEmpty else { return .noName }
            guard lists.skillNames[code] == nil else { return .double }
            let skill = SkillSpelling.skill(name, labels: Self.labels(row[2]))
            lists.skillNames[code] = skill.name
            lists.skills.append(skill)
            return nil
        }
    }

    /// Adds the skills of each occupation from `occupationSkillRelations_en.csv`; essential skills come first.
    public mutating func addRelations(_ bytes: [UInt8]) throws(VocabularyError) {
        let needed = ["occupationUri", "relationType", "skillUri"]
        var optional: [(occupation: Int, skill: String)] = []
        try read("occupationSkillRelations_en.csv", bytes, needs: needed) { lists, row in
            guard let number = lists.numbers[row[0]] else { return .unknownOccupation(row[0]) }
            guard let name = lists.skillNames[row[2]] else { return .unknownSkill(row[2]) }
            if row[1] == "essential" {
                lists.occupations[number].skills.append(name)
            } else {
                optional.append((number, name))
            }
            return nil
        }
        for (number, name) in optional { occupations[number].skills.append(name) }
    }

    /// Everything that was added, without titles that identify no single occupation.
    public var lists: VocabularyLists {
        var lists = VocabularyLists(occupations: occupations, skills: skills)
        lists.clearTitles()
        return lists
    }

    private mutating func read(
        _ file: String, _ bytes: [UInt8], needs needed: [String], asks others: [String] = [],
        _ take: (inout ESCOLists, [String]) -> ImportReport.Reason?
    ) throws(VocabularyError) {
        var report = ImportReport(file: file)
        var table = try ImportTable(bytes, .commas, needs: needed)
        table.read(needed + others, &report) { take(&self, $0) }
        reports.append(report)
    }

    private static func labels(_ field: String) -> [String] {
        field.split(separator: "\n").map { String($0).cleaned }.filter { !$0.isEmpty }
    }
}
