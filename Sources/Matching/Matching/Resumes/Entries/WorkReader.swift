internal import Media

/// Reads positions with employers and dates from the lines of a section.
///
/// Each line with dates anchors an entry. The entry's header is split into pieces at separators, gaps and places. The
/// words of the pieces decide which is the title and which the employer. If they say little, the order of most entries
/// of the résumé decides.
struct WorkReader {
    let text: ResumeText
    let scores: TitleScore

    /// The maximum number of pieces of a header, each compared with all others.
    private static let mostPieces = 24

    /// The header of an entry, split into pieces.
    private struct Candidate {
        let entry: EntryLines.Entry
        var pieces: [Piece]
        var places: [Piece]
        var titleScores: [Double] = []
        var employerScores: [Double] = []
    }

    /// Which pieces are title and employer.
    private struct Choice {
        var title: Int?
        var employer: Int?
        var score: Double
    }

    func work(in lines: [ResumeLine]) -> [Profile.Work] {
        let entryLines = EntryLines(lines)
        let candidates = entryLines.entries().map { candidate($0, lines) }
        let order = candidates.reduce(0.0) { sum, candidate in
            guard candidate.pieces.count > 1 else { return sum }
            let first = best(candidate, order: nil) { $0 < $1 }?.score ?? 0
            let second = best(candidate, order: nil) { $0 > $1 }?.score ?? 0
            return sum + first - second
        }
        var work: [Profile.Work] = []
        for candidate in candidates {
            let entry = self.entry(candidate, titleFirst: order >= 0, entryLines)
            if entry.position == nil, entry.name == nil, entry.startDate == nil { continue }
            join(entry, to: &work)
        }
        return work
    }

    /// A title without an employer belongs to the employer of the entry above. An entry with only an employer and the
    /// time of all its titles is removed.
    private func join(_ new: Profile.Work, to work: inout [Profile.Work]) {
        var new = new
        if new.name == nil, new.position != nil, let last = work.last, let employer = last.name {
            new.name = employer
            if new.location == nil { new.location = last.location }
            if last.position == nil, last.highlights.isEmpty { work.removeLast() }
        }
        work.append(new)
    }

    private func candidate(_ entry: EntryLines.Entry, _ lines: [ResumeLine]) -> Candidate {
        var candidate = Candidate(entry: entry, pieces: [], places: [])
        for index in entry.header {
            for piece in lines[index].pieces(line: index).flatMap(titleAtEmployer)
            where !TitleScore.isRemark(piece.text) {
                add(piece, to: &candidate)
            }
        }
        candidate.pieces = Array(candidate.pieces.prefix(Self.mostPieces))
        splitAtCommas(&candidate)
        candidate.pieces = Array(candidate.pieces.prefix(6))
        candidate.titleScores = candidate.pieces.map { scores.title($0.text) }
        candidate.employerScores = candidate.pieces.map { scores.employer($0.text) }
        return candidate
    }

    /// Splits pieces at their commas if the header would otherwise lack a title or an employer: "Teacher, Juniper
    /// School".
    private func splitAtCommas(_ candidate: inout Candidate) {
        let isWhole = candidate.pieces.count == 1
        var pieces: [Piece] = []
        for piece in candidate.pieces {
            let parts = joinedCommas(piece.commaParts)
            // Next to other pieces, only a title followed by a comma and a name is split. The words of the other pieces
            // must not say what they are.
            let isTitleFirst =
                parts.count == 2 && scores.title(parts[0].text) >= 0.6 && scores.title(parts[1].text) < 0.4
                && scores.employer(parts[1].text) >= 0.3
            let others = candidate.pieces.filter { $0 != piece }
            let areOthersWeak = others.allSatisfy {
                scores.employer($0.text) < 0.5 && scores.title($0.text) < 0.4 && !$0.text.contains(" ")
            }
            if parts.count > 1, isWhole || isTitleFirst && areOthersWeak {
                pieces += parts.filter { !TitleScore.isRemark($0.text) }
            } else {
                pieces.append(piece)
            }
        }
        candidate.pieces = pieces
    }

    /// "Line Cook at The Blue Door" becomes two pieces; "University of Texas at Austin" stays one.
    private func titleAtEmployer(_ piece: Piece) -> [Piece] {
        for separator in [" at ", " @ ", " with ", " for "] {
            guard let range = piece.text.firstRange(of: separator) else { continue }
            let start = piece.text.utf8.distance(from: piece.text.startIndex, to: range.lowerBound)
            if let title = piece.part(0..<start), scores.title(title.text) >= 0.5,
                let employer = piece.part(start + separator.utf8.count..<piece.text.utf8.count)
            {
                return [title, employer]
            }
        }
        return [piece]
    }

    private func add(_ piece: Piece, to candidate: inout Candidate) {
        if PlaceReader.isPlace(piece.text) {
            candidate.places.append(piece)
        } else if let (rest, place) = PlaceReader.split(piece) {
            if !rest.text.isEmpty { candidate.pieces.append(rest) }
            candidate.places.append(place)
        } else {
            candidate.pieces.append(piece)
        }
    }

    /// "Acme, Inc." is one name.
    private func joinedCommas(_ pieces: [Piece]) -> [Piece] {
        var joined: [Piece] = []
        for piece in pieces {
            if let last = joined.last, scores.employer(piece.text) == 1, !piece.text.contains(" ") {
                let place = text.place(from: last.place, to: piece.place)
                joined[joined.count - 1] = Piece(text: text.text(at: place), place: place, line: last.line)
            } else {
                joined.append(piece)
            }
        }
        return joined
    }

    /// The best pair of a title and an employer whose order a test accepts.
    private func best(_ candidate: Candidate, order titleFirst: Bool?, where accepts: (Int, Int) -> Bool) -> Choice? {
        var best: Choice?
        for title in candidate.pieces.indices {
            for employer in candidate.pieces.indices where employer != title && accepts(title, employer) {
                var score = candidate.titleScores[title] * 1.2 + candidate.employerScores[employer]
                score -= candidate.titleScores[employer] * 0.8
                score -= Double(title + employer) * 0.06
                if let titleFirst, (title < employer) == titleFirst { score += 0.35 }
                if score > best?.score ?? -.infinity { best = Choice(title: title, employer: employer, score: score) }
            }
        }
        return best
    }

    private func choice(_ candidate: Candidate, titleFirst: Bool) -> Choice {
        guard candidate.pieces.count > 1 else {
            guard candidate.pieces.count == 1 else { return Choice(score: 0) }
            let isTitle = candidate.titleScores[0] >= max(0.4, candidate.employerScores[0] * 0.6)
            return Choice(title: isTitle ? 0 : nil, employer: isTitle ? nil : 0, score: candidate.titleScores[0])
        }
        return best(candidate, order: titleFirst) { _, _ in true } ?? Choice(score: 0)
    }

    private func entry(_ candidate: Candidate, titleFirst: Bool, _ entryLines: EntryLines) -> Profile.Work {
        let choice = choice(candidate, titleFirst: titleFirst)
        var work = Profile.Work()
        if let index = choice.title {
            let piece = candidate.pieces[index]
            work.position = Found(piece.text, at: piece.place, confidence: 0.5 + candidate.titleScores[index] * 0.45)
        }
        var places = candidate.places
        if let index = choice.employer {
            var piece = candidate.pieces[index]
            if let (name, town) = unknownTown(behind: piece), places.isEmpty {
                piece = name
                places.append(town)
            }
            work.name = Found(piece.text, at: piece.place, confidence: 0.6 + candidate.employerScores[index] * 0.35)
        }
        if let place = places.first { work.location = Found(place.text, at: place.place, confidence: 0.8) }
        let anchor = entryLines.lines[candidate.entry.anchor]
        if let date = anchor.dates.first(where: \.isRange) ?? anchor.dates.first {
            let place = anchor.line.place(of: date.bytes)
            work.startDate = Found(date.start, at: place, confidence: date.isRange ? 0.95 : 0.7)
            work.endDate = (date.end ?? (date.isRange ? nil : date.start)).map {
                Found($0, at: place, confidence: 0.95)
            }
            work.isCurrent = date.isPresent
        }
        work.highlights = highlights(entryLines, candidate.entry.body)
        return work
    }

    /// "Bodega Tres Olas, Cádiz": one or two words after the only comma are a town, even if no list has it.
    private func unknownTown(behind piece: Piece) -> (name: Piece, town: Piece)? {
        let commas = Array(piece.text.utf8).indices.filter { piece.text[bytes: $0..<$0 + 1] == "," }
        guard commas.count == 1, !piece.text.contains("&"), let name = piece.part(0..<commas[0]),
            let town = piece.part(commas[0] + 1..<piece.text.utf8.count)
        else { return nil }
        let words = town.text.split(separator: " ")
        guard words.count <= 2, words.allSatisfy({ $0.first?.isUppercase == true && !$0.contains(where: \.isNumber) }),
            scores.employer(town.text) < 0.5, scores.title(town.text) < 0.4
        else { return nil }
        return (name, town)
    }

    /// The items and sentences of some lines, each with its continuation lines.
    private func highlights(_ entryLines: EntryLines, _ range: Range<Int>) -> [Found<String>] {
        var highlights: [Found<String>] = []
        var isBehindMarker = false
        for index in range {
            let line = entryLines.lines[index]
            // A bullet on its own belongs to the next line.
            guard !line.body.isEmpty else {
                isBehindMarker = true
                continue
            }
            let place = line.line.place(of: line.body)
            let isNew = isBehindMarker || entryLines.roles[index] != .continuation
            isBehindMarker = false
            if isNew || highlights.isEmpty {
                if highlights.count == Profile.mostEntries { break }
                highlights.append(Found(line.text, at: place, confidence: 0.9))
            } else {
                // In place: a sentence may continue for thousands of lines.
                let last = highlights.count - 1
                highlights[last].value += " "
                highlights[last].value += line.text
                highlights[last].place = highlights[last].place.map { text.place(from: $0, to: place) }
                highlights[last].confidence = 0.85
            }
        }
        return highlights
    }
}
