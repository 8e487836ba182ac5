/// Reads the CSV files of ESCO, the European classification: `occupations_en.csv`, `skills_en.csv` and
/// `occupationSkillRelations_en.csv`.
///
/// Other titles and labels stand in one field, a line each. Occupations of the same ISCO group count as related, for
/// ESCO's files name no relations between occupations.
public struct ESCOLists: Sendable {
    private var occupations: [Occupation] = []
    private var numbers: [String: Int] = [:]
    private var skills: [Skill] = []
    private var skillNames: [String: String] = [:]

    /// - Parameter occupations: the bytes of `occupations_en.csv`.
    public init(occupations bytes: [UInt8]) throws(VocabularyError) {
        var table = try ImportTable(.commas(bytes), needs: ["conceptUri", "preferredLabel", "altLabels"])
        while let row = table.next("conceptUri", "preferredLabel", "altLabels", "iscoGroup") {
            guard !row[0].isEmpty, !row[1].isEmpty, numbers[row[0]] == nil else { continue }
            numbers[row[0]] = occupations.count
            occupations.append(
                Occupation(code: row[0], name: row[1], field: row[3], titles: Self.labels(row[2])))
        }
        let groups = Dictionary(grouping: occupations.filter { !$0.field.isEmpty }, by: \.field)
        for index in occupations.indices {
            let code = occupations[index].code
            occupations[index].related = (groups[occupations[index].field] ?? []).map(\.code).filter { $0 != code }
        }
    }

    /// Takes skills in with their other labels, from `skills_en.csv`.
    public mutating func addSkills(_ bytes: [UInt8]) throws(VocabularyError) {
        var table = try ImportTable(.commas(bytes), needs: ["conceptUri", "preferredLabel", "altLabels"])
        while let row = table.next("conceptUri", "preferredLabel", "altLabels") {
            guard !row[0].isEmpty, !row[1].isEmpty, skillNames[row[0]] == nil else { continue }
            skillNames[row[0]] = row[1]
            skills.append(Skill(row[1], synonyms: Self.labels(row[2]).map { Skill.Spelling($0) }))
        }
    }

    /// Takes in which occupation uses which skill, from `occupationSkillRelations_en.csv`; essential skills come first.
    public mutating func addRelations(_ bytes: [UInt8]) throws(VocabularyError) {
        var table = try ImportTable(.commas(bytes), needs: ["occupationUri", "relationType", "skillUri"])
        var optional: [(occupation: Int, skill: String)] = []
        while let row = table.next("occupationUri", "relationType", "skillUri") {
            guard let number = numbers[row[0]], let name = skillNames[row[2]] else { continue }
            if row[1] == "essential" {
                occupations[number].skills.append(name)
            } else {
                optional.append((number, name))
            }
        }
        for (number, name) in optional { occupations[number].skills.append(name) }
    }

    /// A vocabulary of all that was taken in.
    public func vocabulary() -> Vocabulary { Vocabulary(occupations: occupations, skills: skills) }

    private static func labels(_ field: String) -> [String] {
        field.split(separator: "\n").map(\.trimmed).filter { !$0.isEmpty }
    }
}
