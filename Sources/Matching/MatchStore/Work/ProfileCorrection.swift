internal import Matching
internal import Media

/// A value of a corrected profile that makes no sense.
public struct ProfileFault: Error, Hashable, Sendable {
    /// The member of the JSON, such as `work[0].startDate`.
    public let field: String
    /// What is wrong, for people.
    public let message: String
}

/// Applies a person's correction to a profile: JSON Resume, whose parts replace what was read.
///
/// An unchanged value keeps its place in the text; a changed value has none, and is certain.
struct ProfileCorrection {
    let vocabulary: Vocabulary

    /// The longest text, in bytes.
    private static let longestText = 4_000

    private static let parts = ["basics", "work", "education", "skills", "certificates", "languages"]

    func apply(_ correction: JSON, to profile: inout Profile) throws(ProfileFault) {
        for member in correction.members ?? [] where !Self.parts.contains(member.key) {
            throw ProfileFault(field: String(member.key.prefix(40)), message: "Unknown field.")
        }
        if let basics = correction["basics"] { try apply(basics, to: &profile.basics) }
        if let work = try entries(correction, "work") {
            let former = profile.work
            // By text: each highlight is compared with those of all positions.
            let highlights = Dictionary(former.flatMap(\.highlights).map { ($0.value, $0) }) { first, _ in first }
            profile.work = try work.enumerated().map { index, json throws(ProfileFault) in
                try self.work(json, "work[\(index)]", former, highlights)
            }
        }
        if let education = try entries(correction, "education") {
            let former = profile.education
            profile.education = try education.enumerated().map { index, json throws(ProfileFault) in
                try self.education(json, "education[\(index)]", former)
            }
        }
        if let skills = try entries(correction, "skills", atMost: Profile.mostSkills) {
            let former = profile.skills
            profile.skills = try skills.enumerated().map { index, json throws(ProfileFault) in
                try skill(try required(json, "name", in: "skills[\(index)]"), former)
            }
        }
        if let certificates = try entries(correction, "certificates") {
            let former = profile.certificates
            profile.certificates = try certificates.enumerated().map { index, json throws(ProfileFault) in
                let path = "certificates[\(index)]"
                let name = try required(json, "name", in: path)
                return Profile.Certificate(
                    name: Self.found(name, former.map(\.name)),
                    date: try date(json, "date", in: path, former.map(\.date)))
            }
        }
        if let languages = try entries(correction, "languages") {
            let former = profile.languages
            profile.languages = try languages.enumerated().map { index, json throws(ProfileFault) in
                let path = "languages[\(index)]"
                let name = try required(json, "language", in: path)
                return Profile.LanguageSkill(
                    language: Self.found(name, former.map(\.language)),
                    fluency: try text(json, "fluency", in: path, former.map(\.fluency)))
            }
        }
    }

    private func apply(_ json: JSON, to basics: inout Profile.Basics) throws(ProfileFault) {
        guard let members = json.members else {
            throw ProfileFault(field: "basics", message: "basics is a JSON object.")
        }
        for member in members {
            let part: WritableKeyPath<Profile.Basics, Found<String>?>
            switch member.key {
            case "name": part = \.name
            case "label": part = \.label
            case "email": part = \.email
            case "phone": part = \.phone
            case "url": part = \.url
            case "location":
                basics.location = try location(json, [basics.location])
                continue
            case "summary": part = \.summary
            default: throw ProfileFault(field: "basics.\(member.key.prefix(40))", message: "Unknown field.")
            }
            basics[keyPath: part] = try text(json, member.key, in: "basics", [basics[keyPath: part]])
        }
    }

    /// A text, or a JSON Resume object, of which the town's parts count.
    private func location(_ json: JSON, _ former: [Found<String>?]) throws(ProfileFault) -> Found<String>? {
        guard let place = json["location"], place.members != nil else {
            return try text(json, "location", in: "basics", former)
        }
        var parts: [String] = []
        for key in ["city", "region", "countryCode"] {
            if let part = try string(place, key, in: "basics.location") { parts.append(part) }
        }
        return parts.isEmpty ? nil : Self.found(parts.joined(separator: ", "), former)
    }

    private func work(
        _ json: JSON, _ path: String, _ former: [Profile.Work], _ highlights: [String: Found<String>]
    ) throws(ProfileFault) -> Profile.Work {
        var work = Profile.Work()
        work.position = try text(json, "position", in: path, former.map(\.position))
        work.name = try text(json, "name", in: path, former.map(\.name))
        guard work.position != nil || work.name != nil else {
            throw ProfileFault(field: "\(path).position", message: "A position needs a title or an employer.")
        }
        work.location = try text(json, "location", in: path, former.map(\.location))
        work.startDate = try date(json, "startDate", in: path, former.map(\.startDate))
        work.isCurrent = json["is_current"]?.bool ?? false
        work.endDate = work.isCurrent ? nil : try date(json, "endDate", in: path, former.map(\.endDate))
        if let start = work.startDate?.value, let end = work.endDate?.value, end.lastMonth < start.firstMonth {
            throw ProfileFault(field: "\(path).endDate", message: "The end is before the beginning.")
        }
        for (index, line) in (try entries(json, "highlights") ?? []).enumerated() {
            guard let text = line.string, Self.canBeKept(text) else {
                throw ProfileFault(field: "\(path).highlights[\(index)]", message: Self.noText)
            }
            work.highlights.append(highlights[text] ?? Found(text, at: nil, confidence: 1))
        }
        return work
    }

    private func education(
        _ json: JSON, _ path: String, _ former: [Profile.Education]
    ) throws(ProfileFault) -> Profile.Education {
        var education = Profile.Education()
        education.institution = try text(json, "institution", in: path, former.map(\.institution))
        education.studyType = try text(json, "studyType", in: path, former.map(\.studyType))
        education.area = try text(json, "area", in: path, former.map(\.area))
        education.startDate = try date(json, "startDate", in: path, former.map(\.startDate))
        education.endDate = try date(json, "endDate", in: path, former.map(\.endDate))
        return education
    }

    private func skill(_ name: String, _ former: [ProfileSkill]) throws(ProfileFault) -> ProfileSkill {
        if let same = former.first(where: { $0.name.value == name }) { return same }
        let known = vocabulary.skills(in: name, isList: true).first?.name
        return ProfileSkill(name: Found(name, at: nil, confidence: 1), known: known, isListed: true)
    }

    // MARK: Values

    private static let noText = "This is no text, too long, or has a sign that cannot be kept."

    /// PostgreSQL cannot store text with a zero byte.
    private static func canBeKept(_ text: String) -> Bool {
        text.utf8.count <= longestText && !text.utf8.contains(0)
    }

    private static func found<Value>(_ value: Value, _ former: [Found<Value>?]) -> Found<Value> {
        former.lazy.compactMap(\.self).first { $0.value == value } ?? Found(value, at: nil, confidence: 1)
    }

    private func entries(
        _ json: JSON, _ key: String, atMost count: Int = Profile.mostEntries
    ) throws(ProfileFault) -> [JSON]? {
        guard let value = json[key], value != .null else { return nil }
        guard let entries = value.array, entries.count <= count else {
            throw ProfileFault(field: key, message: "\(key) is a list of at most \(count) entries.")
        }
        return entries
    }

    /// A text without white space around it; `nil` if it is absent, null or empty.
    private func string(_ json: JSON, _ key: String, in path: String) throws(ProfileFault) -> String? {
        guard let value = json[key], value != .null else { return nil }
        guard let text = value.string, Self.canBeKept(text) else {
            throw ProfileFault(field: "\(path).\(key)", message: Self.noText)
        }
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? nil : words
    }

    private func required(_ json: JSON, _ key: String, in path: String) throws(ProfileFault) -> String {
        guard let text = try string(json, key, in: path) else {
            throw ProfileFault(field: "\(path).\(key)", message: "This must not be empty.")
        }
        return text
    }

    private func text(
        _ json: JSON, _ key: String, in path: String, _ former: [Found<String>?]
    ) throws(ProfileFault) -> Found<String>? {
        guard let text = try string(json, key, in: path) else { return nil }
        return Self.found(text, former)
    }

    private func date(
        _ json: JSON, _ key: String, in path: String, _ former: [Found<PartialDate>?]
    ) throws(ProfileFault) -> Found<PartialDate>? {
        guard let text = try string(json, key, in: path) else { return nil }
        guard let date = PartialDate(text) else {
            throw ProfileFault(field: "\(path).\(key)", message: "Write a year or a month: 2021 or 2021-03.")
        }
        return Self.found(date, former)
    }
}
