/// A part of a text that may belong to a date.
struct DateToken {
    /// What the part is.
    enum Kind: Equatable {
        /// A number with its digit count.
        case number(Int, digits: Int)
        case month(Int)
        case present
        /// "to", a dash, an arrow.
        case until
        /// The words "since" and "from", which turn one date into a range.
        case since
        /// "of", which some languages put between month and year.
        case of
        /// A season, by its first month.
        case season(Int)
        /// Any other word.
        case word
        /// A sign, by its byte.
        case sign(UInt8)
    }

    var kind: Kind
    var bytes: Range<Int>
    /// Whether white space precedes it.
    var isSpaced: Bool

    /// The tokens of a text.
    static func all(of text: String) -> [DateToken] {
        var tokens: [DateToken] = []
        var text = text
        text.withUTF8 { bytes in
            var index = 0
            var isSpaced = true
            while index < bytes.count {
                let start = index
                if bytes[index] <= 0x20 {
                    isSpaced = true
                    index += 1
                    continue
                }
                if isLetter(bytes[index]) {
                    while index < bytes.count, isLetter(bytes[index]), !isPunctuation(bytes, index) { index += 1 }
                    if index == start {
                        // A sign of three bytes: dashes, quotes, arrows, bullets.
                        let length = bytes[start] >= 0xF0 ? 4 : bytes[start] >= 0xE0 ? 3 : 2
                        index = min(bytes.count, start + length)
                        tokens.append(
                            DateToken(kind: sign(bytes[start..<index]), bytes: start..<index, isSpaced: isSpaced))
                    } else {
                        tokens += words(bytes, start..<index, isSpaced)
                    }
                } else {
                    index += 1
                    let kind: Kind = bytes[start] == UInt8(ascii: "-") ? .until : .sign(bytes[start])
                    tokens.append(DateToken(kind: kind, bytes: start..<index, isSpaced: isSpaced))
                }
                isSpaced = false
            }
        }
        return tokens
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
        default: false
        }
    }

    /// Whether a non-ASCII sign begins: general punctuation, arrows, geometric shapes, Latin-1 signs.
    private static func isPunctuation(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        bytes[index] == 0xE2 || bytes[index] == 0xEF || bytes[index] == 0xF0 || bytes[index] == 0xC2
    }

    private static func sign(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Kind {
        let text = String(decoding: bytes, as: UTF8.self)
        switch text {
        case "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2015}", "\u{2212}", "\u{2192}":
            return .until
        case "\u{2018}", "\u{2019}": return .sign(UInt8(ascii: "'"))
        default: return .word
        }
    }

    /// A run of letters and digits: a word, a number, or a word that touches a number, as in `Sept2019`.
    private static func words(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ isSpaced: Bool
    ) -> [DateToken] {
        if let number = number(bytes, range) {
            return [DateToken(kind: .number(number, digits: range.count), bytes: range, isSpaced: isSpaced)]
        }
        let word = String(decoding: bytes[range], as: UTF8.self).folded
        if let digit = range.first(where: { (0x30...0x39).contains(bytes[$0]) }), digit > range.lowerBound,
            let number = number(bytes, digit..<range.upperBound)
        {
            let name = String(decoding: bytes[range.lowerBound..<digit], as: UTF8.self).folded
            if let kind = names[name] {
                return [
                    DateToken(kind: kind, bytes: range.lowerBound..<digit, isSpaced: isSpaced),
                    DateToken(
                        kind: .number(number, digits: range.upperBound - digit), bytes: digit..<range.upperBound,
                        isSpaced: false),
                ]
            }
        }
        return [DateToken(kind: names[word] ?? .word, bytes: range, isSpaced: isSpaced)]
    }

    /// A number; if most characters are digits, letters that look like digits count too.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
        guard range.count <= 8 else { return nil }
        var value = 0
        var digits = 0
        for index in range {
            switch bytes[index] {
            case 0x30...0x39:
                value = value * 10 + Int(bytes[index] - 0x30)
                digits += 1
            case UInt8(ascii: "O"), UInt8(ascii: "o"): value *= 10
            case UInt8(ascii: "l"), UInt8(ascii: "I"): value = value * 10 + 1
            default: return nil
            }
        }
        return digits * 2 >= range.count && digits > 0 ? value : nil
    }

    /// English, and the month names of German, French, Spanish, Italian, Portuguese and Polish résumés if they differ.
    private static let names: [String: Kind] = {
        var names: [String: Kind] = [
            "present": .present, "current": .present, "currently": .present, "now": .present, "today": .present,
            "date": .present, "ongoing": .present, "heute": .present, "actuel": .present, "presente": .present,
            "actualidad": .present, "actualmente": .present, "actualite": .present, "hoy": .present,
            "aujourd": .present, "obecnie": .present,
            "to": .until, "until": .until, "till": .until, "through": .until, "thru": .until, "bis": .until,
            "hasta": .until, "a": .until, "al": .until, "au": .until,
            "since": .since, "from": .since, "seit": .since, "depuis": .since, "desde": .since,
            "of": .of, "de": .of, "del": .of,
            "spring": .season(3), "summer": .season(6), "fall": .season(9), "autumn": .season(9), "winter": .season(12),
        ]
        let months: [[String]] = [
            ["january", "jan", "januar", "janvier", "janv", "enero", "ene", "gennaio", "janeiro", "styczen"],
            ["february", "feb", "febr", "februar", "fevrier", "fevr", "febrero", "febbraio", "fevereiro", "luty"],
            ["march", "mar", "marz", "maerz", "mars", "marzo", "marco", "marzec", "mrz"],
            ["april", "apr", "avril", "avr", "abril", "abr", "aprile", "kwiecien"],
            ["may", "mai", "mayo", "maggio", "maio", "maj"],
            ["june", "jun", "juni", "juin", "junio", "giugno", "junho", "czerwiec"],
            ["july", "jul", "juli", "juillet", "juil", "julio", "luglio", "julho", "lipiec"],
            ["august", "aug", "aout", "agosto", "ago", "sierpien"],
            ["september", "sep", "sept", "septembre", "septiembre", "settembre", "setembro", "wrzesien"],
            ["october", "oct", "oktober", "okt", "octobre", "octubre", "ottobre", "outubro", "pazdziernik"],
            ["november", "nov", "novembre", "noviembre", "novembro", "listopad"],
            ["december", "dec", "dezember", "dez", "decembre", "diciembre", "dic", "dicembre", "dezembro", "grudzien"],
        ]
        for (index, spellings) in months.enumerated() {
            for name in spellings { names[name] = .month(index + 1) }
        }
        return names
    }()
}
