/// A publisher of occupations and skills, whose files can be imported.
public enum VocabularySource: String, Hashable, Sendable, CaseIterable {
    /// The database of the United States Department of Labor.
    case onet
    /// The classification of the European Commission.
    case esco

    /// What people call it.
    public var name: String {
        switch self {
        case .onet: "O*NET"
        case .esco: "ESCO"
        }
    }

    /// The names of the files to read. The first contains the occupations and is required.
    public var files: [String] {
        switch self {
        case .onet:
            [
                "Occupation Data.txt", "Alternate Titles.txt", "Related Occupations.txt", "Technology Skills.txt",
                "Skills.txt",
            ]
        case .esco: ["occupations_en.csv", "skills_en.csv", "occupationSkillRelations_en.csv"]
        }
    }
}

/// The lists from a publisher's files, with a report on the rows of each.
public struct PublishedVocabulary: Sendable {
    /// Everything that was imported.
    public let lists: VocabularyLists
    /// In the order of the files, without missing files.
    public let reports: [ImportReport]

    /// Reads files as they are published.
    ///
    /// - Parameter files: the bytes by file name.
    public init(_ source: VocabularySource, _ files: [String: [UInt8]]) throws(VocabularyFileError) {
        switch source {
        case .onet:
            var lists = try Self.read(source, 0, files) { bytes throws(VocabularyError) in
                try ONETLists(occupationData: bytes)
            }
            try Self.add(1, files, source) { bytes throws(VocabularyError) in try lists.addTitles(bytes) }
            try Self.add(2, files, source) { bytes throws(VocabularyError) in try lists.addRelated(bytes) }
            try Self.add(3, files, source) { bytes throws(VocabularyError) in try lists.addTechnologySkills(bytes) }
            try Self.add(4, files, source) { bytes throws(VocabularyError) in try lists.addSkills(bytes) }
            (self.lists, reports) = (lists.lists, lists.reports)
        case .esco:
            var lists = try Self.read(source, 0, files) { bytes throws(VocabularyError) in
                try ESCOLists(occupations: bytes)
            }
            try Self.add(1, files, source) { bytes throws(VocabularyError) in try lists.addSkills(bytes) }
            try Self.add(2, files, source) { bytes throws(VocabularyError) in try lists.addRelations(bytes) }
            (self.lists, reports) = (lists.lists, lists.reports)
        }
    }

    private static func add(
        _ index: Int, _ files: [String: [UInt8]], _ source: VocabularySource,
        _ take: (_ bytes: [UInt8]) throws(VocabularyError) -> Void
    ) throws(VocabularyFileError) {
        if files[source.files[index]] != nil { try read(source, index, files, take) }
    }

    private static func read<Lists>(
        _ source: VocabularySource, _ index: Int, _ files: [String: [UInt8]],
        _ take: (_ bytes: [UInt8]) throws(VocabularyError) -> Lists
    ) throws(VocabularyFileError) -> Lists {
        let file = source.files[index]
        guard let bytes = files[file] else { throw VocabularyFileError(file: file, error: nil) }
        do throws(VocabularyError) {
            return try take(bytes)
        } catch {
            throw VocabularyFileError(file: file, error: error)
        }
    }
}

/// Why a publisher's files were refused.
public struct VocabularyFileError: Error, Hashable, Sendable {
    /// The file's name.
    public let file: String
    /// What is wrong with it; `nil` if it is missing.
    public let error: VocabularyError?
}
