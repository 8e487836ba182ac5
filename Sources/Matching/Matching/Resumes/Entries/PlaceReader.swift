internal import Media

/// Distinguishes places from other names: a town with its state or country, a known town, or remote work.
enum PlaceReader {
    /// Whether the whole text is a place.
    static func isPlace(_ text: String) -> Bool {
        let parts = text.split(separator: ",").map { trimmed(String($0)) }
        guard !parts.isEmpty, parts.count <= 3, parts.allSatisfy({ !$0.isEmpty && $0.count < 40 }) else { return false }
        if parts.count == 1 {
            let key = folded(parts[0])
            return remote.contains(key) || countries.contains(key) || PlaceNames.towns.contains(key)
                || isTownWithState(parts[0])
        }
        guard parts.dropLast().allSatisfy(isName) else { return false }
        // "Acme Labs, Austin, TX" is more than a place.
        if parts.count > 2, !isRegion(parts[1]) { return false }
        return isRegion(parts.last!) || parts.count == 2 && remote.contains(folded(parts[1]))
    }

    /// The place at the end of a piece, after a comma or in brackets, and the text before it.
    ///
    /// "Acme Corp, Austin, TX" contains one; "Austin, TX" is one as a whole.
    static func split(_ piece: Piece) -> (rest: Piece, place: Piece)? {
        let bytes = Array(piece.text.utf8)
        for index in bytes.indices.dropFirst(max(1, bytes.count - longestPlace))
        where bytes[index] == UInt8(ascii: ",") || bytes[index] == UInt8(ascii: "(") {
            guard var place = piece.part(index + 1..<bytes.count) else { continue }
            if place.text.utf8.last == UInt8(ascii: ")") {
                guard let inner = place.part(0..<place.text.utf8.count - 1) else { continue }
                place = inner
            }
            let tail = place.text
            guard isPlace(tail), !isRegion(tail) || tail.contains(",") || isCountryAlone(tail) else { continue }
            let start = piece.place.bytes.lowerBound
            let none = Piece(text: "", place: TextPlace(page: piece.place.page, bytes: start..<start), line: piece.line)
            return (piece.part(0..<index) ?? none, place)
        }
        return nil
    }

    /// In UTF-8 bytes: three parts of under forty characters, with the text between them.
    private static let longestPlace = 500

    private static func isCountryAlone(_ text: String) -> Bool {
        countries.contains(folded(text)) && text.utf8.count > 3 || remote.contains(folded(text))
    }

    /// A state, a province or a country, with or without a postal code.
    static func isRegion(_ text: String) -> Bool {
        var words = text.split(separator: " ").map(String.init)
        while let last = words.last, last.contains(where: \.isNumber), words.count > 1 { words.removeLast() }
        let name = words.joined(separator: " ").filter { $0 != "." }
        if PlaceNames.stateCodes.contains(name) { return true }
        let key = folded(name)
        return PlaceNames.states.contains(key) || countries.contains(key)
    }

    /// "Austin TX", "Austin TX 78701".
    private static func isTownWithState(_ text: String) -> Bool {
        var words = text.split(separator: " ").map(String.init)
        if words.count > 2, words.last!.allSatisfy(\.isNumber), words.last!.count == 5 { words.removeLast() }
        guard (2...4).contains(words.count), PlaceNames.stateCodes.contains(words.last!) else { return false }
        return PlaceNames.towns.contains(folded(words.dropLast().joined(separator: " ")))
    }

    /// One to four words without digits, each with a capital except short ones.
    private static func isName(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        guard (1...4).contains(words.count) else { return false }
        return words.allSatisfy { word in
            word.first?.isUppercase == true && !word.contains(where: \.isNumber)
                || ["de", "la", "am", "an", "of", "upon"].contains(word)
        }
    }

    static func folded(_ text: String) -> String {
        ScannedWord.all(of: text).map(\.key).joined(separator: " ")
    }

    static func trimmed(_ text: String) -> String {
        var view = Substring(text)
        while view.first?.isWhitespace == true { view.removeFirst() }
        while view.last?.isWhitespace == true { view.removeLast() }
        return String(view)
    }

    private static let remote: Set<String> = ["remote", "fully remote", "hybrid", "home office", "worldwide"]
    private static let countries = PlaceNames.countries
}

/// Names of states, countries and large towns.
enum PlaceNames {
    /// The postal codes of the United States and of Canada's provinces.
    static let stateCodes: Set<String> = Set(
        """
        AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR
        PA RI SC SD TN TX UT VT VA WA WV WI WY DC AB BC MB NB NL NS ON PE QC SK UK USA US UAE NSW VIC QLD
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    static let states = keys(
        """
        Alabama, Alaska, Arizona, Arkansas, California, Colorado, Connecticut, Delaware, Florida, Georgia, Hawaii,
        Idaho, Illinois, Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland, Massachusetts, Michigan,
        Minnesota, Mississippi, Missouri, Montana, Nebraska, Nevada, New Hampshire, New Jersey, New Mexico, New York,
        North Carolina, North Dakota, Ohio, Oklahoma, Oregon, Pennsylvania, Rhode Island, South Carolina, South Dakota,
        Tennessee, Texas, Utah, Vermont, Virginia, Washington, West Virginia, Wisconsin, Wyoming, Ontario, Quebec,
        British Columbia, Alberta, Manitoba, Nova Scotia, Bavaria, Catalonia, England, Scotland, Wales, Northern
        Ireland, New South Wales, Victoria, Queensland
        """)

    static let countries = keys(
        """
        United States, United States of America, USA, United Kingdom, Great Britain, UK, Canada, Mexico, Germany,
        Deutschland, France, Spain, España, Italy, Italia, Portugal, Poland, Polska, Austria, Österreich, Switzerland,
        Schweiz, Netherlands, Belgium, Denmark, Sweden, Norway, Finland, Iceland, Ireland, Czech Republic, Czechia,
        Slovakia, Hungary, Romania, Bulgaria, Greece, Turkey, Ukraine, Croatia, Serbia, Slovenia, Estonia, Latvia,
        Lithuania, India, Pakistan, Bangladesh, China, Japan, South Korea, Korea, Vietnam, Thailand, Philippines,
        Indonesia, Malaysia, Singapore, Australia, New Zealand, Brazil, Brasil, Argentina, Chile, Colombia, Peru,
        Ecuador, Uruguay, Egypt, Morocco, Nigeria, Kenya, Ghana, South Africa, Israel, Lebanon, United Arab Emirates,
        Saudi Arabia, Puerto Rico, Ethiopia, Senegal
        """)

    static let towns = keys(
        """
        New York, New York City, Los Angeles, Chicago, Houston, Phoenix, Philadelphia, San Antonio, San Diego, Dallas,
        Austin, San Jose, Fort Worth, Jacksonville, Columbus, Charlotte, Indianapolis, San Francisco, Seattle, Denver,
        Washington DC, Boston, Nashville, Detroit, Portland, Las Vegas, Memphis, Baltimore, Milwaukee, Albuquerque,
        Tucson, Fresno, Sacramento, Atlanta, Kansas City, Miami, Raleigh, Omaha, Oakland, Minneapolis, Tulsa, Tampa, New
        Orleans, Cleveland, Pittsburgh, Cincinnati, St Louis, Saint Louis, Orlando, Salt Lake City, Boise, Madison,
        Richmond, Toronto, Montreal, Vancouver, Ottawa, Calgary, London, Manchester, Birmingham, Edinburgh, Glasgow,
        Bristol, Leeds, Dublin, Berlin, Munich, München, Hamburg, Cologne, Köln, Frankfurt, Stuttgart, Leipzig, Dresden,
        Paris, Lyon, Marseille, Madrid, Barcelona, Valencia, Sevilla, Seville, Lisbon, Lisboa, Porto, Rome, Roma, Milan,
        Milano, Vienna, Wien, Zurich, Zürich, Geneva, Basel, Amsterdam, Rotterdam, Brussels, Copenhagen, Stockholm,
        Oslo, Helsinki, Warsaw, Warszawa, Kraków, Krakow, Gdańsk, Wrocław, Prague, Budapest, Bucharest, Athens,
        Istanbul, Tel Aviv, Mumbai, Delhi, New Delhi, Bangalore, Bengaluru, Hyderabad, Chennai, Pune, Tokyo, Osaka,
        Seoul, Shanghai, Beijing, Hong Kong, Taipei, Hanoi, Ho Chi Minh City, Bangkok, Manila, Jakarta, Sydney,
        Melbourne, Brisbane, Auckland, São Paulo, Rio de Janeiro, Buenos Aires, Santiago, Bogotá, Lima, Mexico City,
        Guadalajara, Monterrey, Cairo, Lagos, Nairobi, Accra, Cape Town, Johannesburg
        """)

    private static func keys(_ list: String) -> Set<String> {
        Set(list.split(separator: ",").map { PlaceReader.folded(String($0)) }.filter { !$0.isEmpty })
    }
}
