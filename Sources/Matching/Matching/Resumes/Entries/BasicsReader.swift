internal import Media

/// Reads who the person is and how to reach them.
struct BasicsReader {
    let text: ResumeText
    let scores: TitleScore

    func basics(_ sections: [Section], work: [Profile.Work]) -> Profile.Basics {
        var basics = Profile.Basics()
        for line in text.lines {
            if basics.email == nil { basics.email = found(ContactScanner.email(in: line.text), line, 0.99) }
            if basics.phone == nil { basics.phone = found(ContactScanner.phone(in: line.text), line, 0.95) }
            if basics.url == nil { basics.url = found(ContactScanner.url(in: line.text), line, 0.9) }
        }
        basics.name = NameReader(text: text, scores: scores).name(email: basics.email?.value)
        basics.location = location(sections)
        basics.summary = summary(sections)
        basics.label = ownTitle(sections, name: basics.name) ?? Self.latest(work)?.position
        return basics
    }

    private func found(_ hit: ContactScanner.Hit?, _ line: ResumeText.Line, _ confidence: Double) -> Found<String>? {
        hit.map { Found($0.value, at: line.place(of: $0.bytes), confidence: confidence) }
    }

    /// The current position, or else the position that ended last.
    static func latest(_ work: [Profile.Work]) -> Profile.Work? {
        work.filter { $0.position != nil }.max { first, second in
            if first.isCurrent != second.isCurrent { return second.isCurrent }
            return (first.endDate?.value ?? PartialDate(year: 0)) < (second.endDate?.value ?? PartialDate(year: 0))
        }
    }

    /// A place among the lines of the opening and of the contact section.
    private func location(_ sections: [Section]) -> Found<String>? {
        for section in sections where section.kind == .contact || section.kind == .opening {
            for (index, line) in section.lines.prefix(14).enumerated() {
                for piece in line.pieces(line: index) {
                    if PlaceReader.isPlace(piece.text) { return Found(piece.text, at: piece.place, confidence: 0.9) }
                    if let (_, place) = PlaceReader.split(piece), !line.isProse {
                        return Found(place.text, at: place.place, confidence: 0.8)
                    }
                }
            }
        }
        return nil
    }

    /// A title below the name, or among the first six lines of the opening on the name's page.
    private func ownTitle(_ sections: [Section], name: Found<String>?) -> Found<String>? {
        guard let place = name?.place else { return nil }
        if let index = text.lines.firstIndex(where: {
            $0.place.page == place.page && $0.place.bytes.overlaps(place.bytes)
        }),
            let next = text.lines[safe: index + 1], next.column == text.lines[index].column, next.text.utf8.count < 60,
            scores.title(next.text) >= 0.7, HeadingWords.kind(of: next.text) == nil,
            DateMention.all(in: next.text).isEmpty
        {
            return Found(next.text, at: next.place, confidence: 0.9)
        }
        for section in sections where section.kind == .opening {
            for (index, line) in section.lines.prefix(6).enumerated()
            where line.line.place.page == place.page && !line.isProse {
                guard line.dates.isEmpty else { continue }
                for piece in line.pieces(line: index) where piece.place != place && scores.title(piece.text) >= 0.7 {
                    return Found(piece.text, at: piece.place, confidence: 0.85)
                }
            }
        }
        return nil
    }

    private func summary(_ sections: [Section]) -> Found<String>? {
        let own = sections.first { $0.kind == .summary }?.lines
        let opening = sections.filter { $0.kind == .opening }.flatMap(\.lines).drop { !$0.isProse }.prefix {
            $0.isProse || $0.startsLowercase || $0.endsSentence
        }
        var lines: [ResumeLine] = []
        for line in own ?? Array(opening) {
            if let last = lines.last, !line.line.follows(last.line) { break }
            lines.append(line)
        }
        guard let first = lines.first, let last = lines.last else { return nil }
        let words = lines.map(\.text).joined(separator: " ")
        guard words.utf8.count > 20 else { return nil }
        return Found(
            words, at: text.place(from: first.line.place(of: first.body), to: last.line.place),
            confidence: own == nil ? 0.6 : 0.9)
    }
}
