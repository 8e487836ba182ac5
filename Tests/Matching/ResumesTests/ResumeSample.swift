import Matching

/// A small résumé in plain text, whose parts a test replaces.
enum ResumeSample {
    /// The profile of a plain text, by the built-in vocabulary.
    static func profile(_ text: String) -> Profile {
        ResumeReader(vocabulary: .builtIn).profile(of: ResumeText(plainText: text))
    }

    /// A résumé around some lines of its work section.
    static func working(_ lines: String) -> String {
        """
        Maya Okonkwo
        maya@example.org | (512) 555-0134 | Austin, TX

        Experience

        \(lines)

        Education
        B.S. Computer Science, University of Northfield, 2016

        Skills
        Swift, SwiftUI, Fastlane
        """
    }

    /// All values with their places.
    static func found(in profile: Profile) -> [(value: String, place: TextPlace)] {
        var all: [Found<String>?] = [
            profile.basics.name, profile.basics.label, profile.basics.email, profile.basics.url,
            profile.basics.location, profile.basics.summary,
        ]
        for work in profile.work { all += [work.position, work.name, work.location] + work.highlights }
        for school in profile.education { all += [school.institution, school.studyType, school.area] }
        all += profile.skills.map(\.name)
        all += profile.certificates.map(\.name)
        return all.compactMap { found in found.flatMap { found in found.place.map { (found.value, $0) } } }
    }
}
