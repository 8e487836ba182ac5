internal import Media

/// Reads schools, degrees and years from the lines of a section.
///
/// Lines are read in order; a second school, a second degree or a second date begins the next entry.
struct EducationReader {
    let text: ResumeText

    func education(in lines: [ResumeLine]) -> [Profile.Education] {
        var entries: [Profile.Education] = []
        var current = Profile.Education()
        /// The line with the last end date that was read.
        var dateLine = -1
        func close() {
            if current.institution != nil || current.studyType != nil { entries.append(current) }
            current = Profile.Education()
        }
        for (index, line) in lines.enumerated() {
            if line.isBullet, line.dates.isEmpty, !hasValue(line, index) { continue }
            if line.isProse, line.dates.isEmpty { continue }
            let (schools, degrees, subjects) = values(line, index)
            let hasSecond =
                schools.first != nil && current.institution != nil || degrees.first != nil && current.studyType != nil
                || line.dates.first != nil && current.endDate != nil && dateLine != index
            let isNewBlock = line.line.startsBlock && current.institution != nil && current.studyType != nil
            if hasSecond || isNewBlock && (schools.first ?? degrees.first?.type) != nil { close() }
            for school in schools where current.institution == nil {
                current.institution = Found(school.text, at: school.place, confidence: 0.9)
            }
            for degree in degrees where current.studyType == nil {
                current.studyType = Found(degree.type.text, at: degree.type.place, confidence: 0.9)
                if current.area == nil {
                    current.area = degree.area.map { Found($0.text, at: $0.place, confidence: 0.85) }
                }
            }
            if current.area == nil, current.studyType != nil, let subject = subjects.first {
                current.area = Found(subject.text, at: subject.place, confidence: 0.6)
            }
            if let date = line.dates.first(where: \.isRange) ?? line.dates.first, current.endDate == nil {
                let place = line.line.place(of: date.bytes)
                if date.isRange { current.startDate = Found(date.start, at: place, confidence: 0.9) }
                current.endDate = (date.end ?? (date.isPresent ? nil : date.start)).map {
                    Found($0, at: place, confidence: 0.9)
                }
                dateLine = index
            }
        }
        close()
        return entries
    }

    private func hasValue(_ line: ResumeLine, _ index: Int) -> Bool {
        let values = values(line, index)
        return !values.schools.isEmpty || !values.degrees.isEmpty
    }

    /// The schools, degrees and other names of a line, without places.
    private func values(_ line: ResumeLine, _ index: Int) -> (
        schools: [Piece], degrees: [DegreeReader.Degree], subjects: [Piece]
    ) {
        var schools: [Piece] = []
        var degrees: [DegreeReader.Degree] = []
        var subjects: [Piece] = []
        for whole in line.pieces(line: index) {
            let parts = joinedCampus(whole.commaParts)
            for piece in parts {
                if PlaceReader.isPlace(piece.text), !DegreeReader.isInstitution(piece.text) { continue }
                if DegreeReader.isInstitution(piece.text),
                    DegreeReader.degree(in: piece) == nil || !startsWithDegree(piece)
                {
                    schools.append(piece)
                } else if let degree = DegreeReader.degree(in: piece) {
                    degrees.append(degree)
                } else if isSubject(piece) {
                    subjects.append(piece)
                }
            }
        }
        // "B.S., Computer Science".
        if let degree = degrees.first, degree.area == nil, let subject = subjects.first,
            subject.line == degree.type.line
        {
            degrees[0] = DegreeReader.Degree(type: degree.type, area: subject)
        }
        return (schools, degrees, subjects)
    }

    private func startsWithDegree(_ piece: Piece) -> Bool {
        DegreeReader.degree(in: piece).map { $0.type.place.bytes.lowerBound - piece.place.bytes.lowerBound < 3 }
            ?? false
    }

    private func isSubject(_ piece: Piece) -> Bool {
        let lower = piece.text.lowercased()
        guard piece.text.first?.isUppercase == true, !piece.text.contains(where: \.isNumber) else { return false }
        return ![
            "gpa", "honor", "honour", "cum laude", "dean", "minor", "thesis", "coursework", "grade", "distinction",
            "relevant", "class", "degree in progress", "expected", "graduated",
        ]
        .contains { lower.contains($0) }
    }

    /// "University of California, Berkeley" is one name.
    private func joinedCampus(_ parts: [Piece]) -> [Piece] {
        var joined: [Piece] = []
        for part in parts {
            let names: Set<String> = [
                "berkeley", "los angele", "san diego", "davi", "irvine", "santa cruz", "austin", "chapel hill",
                "urbana champaign", "madison", "boulder", "twin citie",
            ]
            if let last = joined.last, last.text.hasPrefix("University of"),
                names.contains(PlaceReader.folded(part.text)), parts.count < 4
            {
                let place = text.place(from: last.place, to: part.place)
                joined[joined.count - 1] = Piece(text: text.text(at: place), place: place, line: last.line)
            } else {
                joined.append(part)
            }
        }
        return joined
    }
}
