internal import Media

/// Reads the profile from a résumé's text.
///
/// ```swift
/// let reader = ResumeReader(vocabulary: .builtIn)
/// let profile = reader.profile(of: ResumeText(pages: pages.map(ReadingOrder.arranged)))
/// ```
///
/// Every value is a part of the text, at the place it names; nothing is added. The same text gives the same profile.
public struct ResumeReader: Sendable {
    private let vocabulary: Vocabulary

    /// A reader that uses the titles and skills of a vocabulary.
    public init(vocabulary: Vocabulary) { self.vocabulary = vocabulary }

    /// What the text says; missing values are `nil` or empty.
    public func profile(of text: ResumeText) -> Profile {
        let scores = TitleScore(vocabulary: vocabulary)
        var sections = Section.all(of: text, vocabulary)
        let hasEntries = sections.contains { $0.kind == .work || $0.kind == .education }
        if !hasEntries {
            let content = ContentSections(vocabulary: vocabulary, scores: scores)
            sections = sections.flatMap { $0.kind == .opening ? content.sections(of: $0.lines) : [$0] }
        }
        var profile = Profile()
        let skills = SkillReader(text: text, vocabulary: vocabulary)
        var mentions: [ProfileSkill] = []
        for (kind, lines) in Self.joined(sections.map(Self.told)) {
            switch kind {
            case .work: profile.work += WorkReader(text: text, scores: scores).work(in: lines)
            case .education: profile.education += EducationReader(text: text).education(in: lines)
            case .skills: profile.skills += skills.listed(in: lines)
            case .certificates: profile.certificates += CertificateReader().certificates(in: lines)
            case .languages: profile.languages += LanguageReader().languages(in: lines)
            case .opening, .contact, .summary, .projects, .other: break
            }
            if [.work, .summary, .projects].contains(kind) {
                // Titles and employers contain words of skills.
                let entryLines = EntryLines(lines)
                for (line, role) in zip(lines, entryLines.roles) where role != .header || kind == .summary {
                    mentions += skills.mentioned(in: line)
                }
            }
        }
        profile.basics = BasicsReader(text: text, scores: scores).basics(sections, work: profile.work)
        // If the text has no columns, the name may be below a list of skills.
        let own = [profile.basics.name?.place, profile.basics.label?.place].compactMap { $0 }
        profile.skills = SkillReader.distinct(profile.skills + mentions).filter { skill in
            !own.contains { $0.page == skill.name.place?.page && $0.bytes.overlaps(skill.name.place?.bytes ?? 0..<0) }
        }
        profile.bound()
        return profile
    }

    /// "Training" means education if the lines below name schools.
    private static func told(_ section: Section) -> Section {
        guard section.kind == .certificates else { return section }
        let schools = section.lines.enumerated().count { index, line in
            line.pieces(line: index).contains { DegreeReader.isInstitution($0.text) }
        }
        return schools * 3 >= section.lines.count ? Section(kind: .education, lines: section.lines) : section
    }

    /// The lines of each kind of section in reading order: columns and pages may separate what belongs together.
    private static func joined(_ sections: [Section]) -> [(kind: SectionKind, lines: [ResumeLine])] {
        var joined: [(kind: SectionKind, lines: [ResumeLine])] = []
        for section in sections {
            if let index = joined.firstIndex(where: { $0.kind == section.kind }) {
                joined[index].lines += section.lines
            } else {
                joined.append((section.kind, section.lines))
            }
        }
        return joined
    }
}
