internal import MatchStore
internal import Matching
internal import Media

extension ResumeSearch {
    /// What the uploader gets.
    var receipt: JSON {
        .object([
            "user_search_id": .string(id.text), "view_token": .string(viewToken),
            "search_session_id": .string(session.text),
        ])
    }

    /// How far the session is, in the keys that the app reads.
    var sessionJSON: JSON {
        .object([
            "status": .string(state.rawValue), "created_at": .string(created.secondsText),
            "error_message": message.map(JSON.string) ?? .null,
        ])
    }

    /// How far the session is, with its last step and what it has found.
    var progress: JSON {
        let isOver = state == .completed
        func count(_ number: Int) -> JSON { isOver ? .integer(Int64(number)) : .null }
        return .object([
            "status": .string(state.rawValue), "step": .string(step.rawValue),
            "error_message": message.map(JSON.string) ?? .null, "matches": count(counts.total),
            "direct": count(counts.direct), "adjacent": count(counts.total - counts.direct),
            "local": count(counts.local), "title": title.map(JSON.string) ?? .null,
        ])
    }

    /// The same with the times of the search.
    ///
    /// - Parameter hasTown: whether the person's town is known; `nil` before the session is completed.
    func summary(end: Instant, hasTown: Bool?) -> JSON {
        .object(
            progress.members! + [
                JSON.Member("created_at", .string(created.secondsText)),
                JSON.Member("expires_at", .string(end.secondsText)), JSON.Member("is_corrected", .bool(isCorrected)),
                JSON.Member("has_town", hasTown.map(JSON.bool) ?? .null),
            ])
    }

    /// The search with its profile, and the texts to which the profile's places refer, for its owner.
    func json(_ reading: (profile: Profile, pages: [String])?, years: Int?, end: Instant) -> JSON {
        .object([
            "id": .string(id.text), "search_session_id": .string(session.text), "status": .string(state.rawValue),
            "created_at": .string(created.secondsText), "expires_at": .string(end.secondsText),
            "file_name": .string(fileName), "is_corrected": .bool(isCorrected),
            "years_of_experience": years.map { .integer(Int64($0)) } ?? .null,
            "profile": reading?.profile.shown ?? .null,
            "pages": reading.map { .array($0.pages.map(JSON.string)) } ?? .null,
        ])
    }

    fileprivate var recent: JSON {
        .object([
            "id": .string(id.text), "title": title.map(JSON.string) ?? .null,
            "created_at": .string(created.secondsText), "total_jobs": .integer(Int64(counts.total)),
            "direct_count": .integer(Int64(counts.direct)),
            "adjacent_count": .integer(Int64(counts.total - counts.direct)), "view_token": .string(viewToken),
        ])
    }
}

extension SearchStatistics {
    /// A person's searches, in the keys that the app reads.
    func json(_ recent: [ResumeSearch]) -> JSON {
        .object([
            "total_searches": .integer(Int64(searchCount)), "total_jobs_found": .integer(Int64(matchCount)),
            "avg_jobs_per_search": .number(searchCount == 0 ? 0 : Double(matchCount) / Double(searchCount)),
            "recent_sessions": .array(recent.map(\.recent)),
        ])
    }
}

extension SearchMatch {
    /// A job in the keys that the app reads.
    ///
    /// - Parameter age: days since it was published; `nil` if that is not known.
    func json(age: Int?) -> JSON {
        .object([
            "id": .string(id.text), "job_id": .string(posting), "title": .string(title),
            "company_name": .string(company), "location": .string(location),
            "posted_at": age.map { .string(Self.words(age: $0)) } ?? .null, "job_url": url.map(JSON.string) ?? .null,
            "source_query": query.map(JSON.string) ?? .null, "category": .string(isDirect ? "direct" : "adjacent"),
            "is_remote": .bool(isRemote),
        ])
    }

    /// "2 days ago".
    static func words(age days: Int) -> String {
        func ago(_ count: Int, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s") ago" }
        switch days {
        case 0: return "today"
        case ..<14: return ago(days, "day")
        case ..<60: return ago(days / 7, "week")
        case ..<730: return ago(days / 30, "month")
        default: return ago(days / 365, "year")
        }
    }
}

extension MatchExplanation {
    /// Summary and bullets, in the keys that the app reads.
    ///
    /// - Parameter withEvidence: whether to add the words of posting and résumé that support each sentence, with their
    ///   places, the summary's first.
    func json(withEvidence: Bool) -> JSON {
        let sentences = ([reasons.summary] + reasons.bullets).map { reason -> JSON in
            let quotes = evidence(of: reason)
            return .object([
                "text": .string(reason.text), "posting": .array(quotes.posting.map(JSON.string)),
                "resume": .array(quotes.resume.map(JSON.string)),
                "posting_places": .array(reason.posting.map(\.json)),
                "resume_places": .array(reason.resume.map(\.json)),
            ])
        }
        return .object([
            "explanation_summary": .string(reasons.summary.text),
            "bullets": .array(reasons.bullets.map { .string($0.text) }),
            "evidence": withEvidence ? .array(sentences) : nil,
        ])
    }
}

extension Profile {
    /// JSON Resume, each value with its confidence.
    fileprivate var shown: JSON {
        .object([
            "basics": .object([
                "name": basics.name.shown, "label": basics.label.shown, "email": basics.email.shown,
                "phone": basics.phone.shown, "url": basics.url.shown, "location": basics.location.shown,
                "summary": basics.summary.shown,
            ]),
            "work": .array(
                work.map { work in
                    .object([
                        "position": work.position.shown, "name": work.name.shown, "location": work.location.shown,
                        "startDate": work.startDate.shown, "endDate": work.endDate.shown,
                        "is_current": .bool(work.isCurrent), "highlights": .array(work.highlights.map(\.shown)),
                    ])
                }),
            "education": .array(
                education.map { school in
                    .object([
                        "institution": school.institution.shown, "studyType": school.studyType.shown,
                        "area": school.area.shown, "startDate": school.startDate.shown,
                        "endDate": school.endDate.shown,
                    ])
                }),
            "skills": .array(skills.map { .object(["name": $0.name.shown]) }),
            "certificates": .array(certificates.map { .object(["name": $0.name.shown, "date": $0.date.shown]) }),
            "languages": .array(
                languages.map { .object(["language": $0.language.shown, "fluency": $0.fluency.shown]) }),
        ])
    }
}

extension Found {
    /// A person's correction has no place, and is certain.
    fileprivate func json(_ value: String) -> JSON {
        let isCorrected = place == nil && confidence == 1
        return .object([
            "value": .string(value), "confidence": isCorrected ? .null : .number(confidence),
            "is_corrected": .bool(isCorrected), "place": place?.json ?? .null,
        ])
    }
}

extension TextPlace {
    /// The page, from 1, and bytes of its text's UTF-8.
    fileprivate var json: JSON {
        .object([
            "page": .integer(Int64(page) + 1), "start": .integer(Int64(bytes.lowerBound)),
            "end": .integer(Int64(bytes.upperBound)),
        ])
    }
}

extension PostingPlace {
    /// The part of the posting, and bytes of its UTF-8.
    fileprivate var json: JSON {
        .object([
            "field": .string(field.rawValue), "start": .integer(Int64(bytes.lowerBound)),
            "end": .integer(Int64(bytes.upperBound)),
        ])
    }
}

extension Found<String> {
    fileprivate var shown: JSON { json(value) }
}

extension Found<PartialDate> {
    fileprivate var shown: JSON { json(value.text) }
}

extension Found<String>? {
    fileprivate var shown: JSON { self?.shown ?? .null }
}

extension Found<PartialDate>? {
    fileprivate var shown: JSON { self?.shown ?? .null }
}
