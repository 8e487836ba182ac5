internal import Media

/// Reads certificates, one per line or list item.
struct CertificateReader {
    func certificates(in lines: [ResumeLine]) -> [Profile.Certificate] {
        var found: [Profile.Certificate] = []
        for (index, line) in lines.enumerated() {
            let isContinuation = index > 0 && !line.isBullet && line.startsLowercase
            if isContinuation || line.isProse && line.dates.isEmpty { continue }
            let pieces = line.pieces(line: index)
            guard let first = pieces.first else { continue }
            let date = line.dates.first.map {
                Found($0.end ?? $0.start, at: line.line.place(of: $0.bytes), confidence: 0.85)
            }
            // Commas or bars separate several certificates on a line. A certificate of two words or more with its
            // issuer is a single one.
            let items = date == nil && line.dates.isEmpty ? list(first) : [first]
            for item in items where item.text.utf8.count > 1 {
                found.append(Profile.Certificate(name: Found(item.text, at: item.place, confidence: 0.8), date: date))
            }
        }
        return found
    }

    /// The items of a line of short names: "BLS, ACLS, PALS".
    private func list(_ first: Piece) -> [Piece] {
        let items = first.commaParts
        let areShort =
            items.count > 1 && items.allSatisfy { $0.text.split(separator: " ").count <= 3 && $0.text.count <= 24 }
        if areShort { return items }
        if let comma = items.first, items.count > 1 { return [comma] }
        return [first]
    }
}
