public import Media

extension Profile {
    /// The profile in the form of JSON Resume, without places and confidences.
    public var json: JSON {
        .object([
            "basics": basics.json,
            "work": .array(work.map(\.json)),
            "education": .array(education.map(\.json)),
            "skills": .array(skills.map { .object(["name": .string($0.name.value)]) }),
            "certificates": .array(
                certificates.map {
                    .object(["name": .string($0.name.value), "date": $0.date.map { .string($0.value.text) }])
                }),
            "languages": .array(
                languages.map { .object(["language": .string($0.language.value), "fluency": $0.fluency.text]) }),
        ])
    }
}

extension Found<String>? {
    /// The value as JSON; `nil` if there is none.
    fileprivate var text: JSON? { self.map { .string($0.value) } }
}

extension Found<PartialDate>? {
    fileprivate var text: JSON? { self.map { .string($0.value.text) } }
}

extension Profile.Basics {
    fileprivate var json: JSON {
        .object([
            "name": name.text, "label": label.text, "email": email.text, "phone": phone.text, "url": url.text,
            "location": location.map { .object(["address": .string($0.value)]) }, "summary": summary.text,
        ])
    }
}

extension Profile.Work {
    fileprivate var json: JSON {
        .object([
            "name": name.text, "position": position.text, "location": location.text, "startDate": startDate.text,
            "endDate": endDate.text, "highlights": .array(highlights.map { .string($0.value) }),
        ])
    }
}

extension Profile.Education {
    fileprivate var json: JSON {
        .object([
            "institution": institution.text, "studyType": studyType.text, "area": area.text,
            "startDate": startDate.text,
            "endDate": endDate.text,
        ])
    }
}
