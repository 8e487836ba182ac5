internal import Media

/// Towns by name, with the regions that distinguish towns of one name.
public struct Gazetteer: Sendable {
    /// In the order of the list: of towns with one name, the first is meant if nothing else is said.
    private var towns: [String: [Place]] = [:]
    /// Regions and countries by their folded names and codes: `texas` and `tx` are `US-TX`.
    private var regions: [String: Set<String>] = [:]

    /// Reads a list of lines: `country DE: names`, `region US-TX: names`, and
    /// `Town, other names: US-TX latitude longitude`.
    public init(_ text: String) throws(VocabularyError) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let colon = line.lastIndex(of: ":") else {
                throw VocabularyError(line: index + 1, reason: .unknownForm)
            }
            let rest = line[line.index(after: colon)...]
            if line.hasPrefix("country ") || line.hasPrefix("region ") {
                addRegion(line[..<colon].drop { $0 != " " }.dropFirst(), names: rest)
                continue
            }
            let values = rest.split(separator: " ")
            guard values.count == 3, let latitude = Double(values[1]), let longitude = Double(values[2]) else {
                throw VocabularyError(line: index + 1, reason: .unknownForm)
            }
            let names = line[..<colon].split(separator: ",").map { $0.drop { $0 == " " } }
            let place = Place(
                name: String(names[0]), region: String(values[0]), latitude: latitude, longitude: longitude)
            for name in names { towns[Self.key(name), default: []].append(place) }
        }
    }

    private mutating func addRegion(_ code: Substring, names: Substring) {
        // Addresses contain the code of a state on its own: "TX".
        let own = code.split(separator: "-").last ?? code
        for name in names.split(separator: ",").map({ Self.key($0) }) + [Self.key(own)] {
            regions[name, default: []].insert(String(code))
        }
    }

    /// The town that a place's text names, such as "Austin, TX 78701", "München" or "Leeds, UK"; `nil` if it is not
    /// known, or if the text after it names another region.
    public func place(_ text: String) -> Place? {
        let parts = text.split { ",|/()–".contains($0) }.map { Self.key($0) }.filter { !$0.isEmpty }
        for (index, part) in parts.enumerated().prefix(4) {
            let rest = parts[(index + 1)...]
            if let found = place(part, in: rest) { return found }
            // "Austin TX": the last word is the region.
            let words = part.split(separator: " ")
            if words.count > 1, let found = place(words.dropLast().joined(separator: " "), in: [String(words.last!)]) {
                return found
            }
        }
        return nil
    }

    /// - Parameter parts: what follows the town: regions, countries, or unknown words.
    private func place(_ town: String, in parts: some Collection<String>) -> Place? {
        guard let candidates = towns[town] else { return nil }
        let said = parts.compactMap { regions[$0] }
        return candidates.first { candidate in
            said.allSatisfy { codes in
                codes.contains { $0 == candidate.region || candidate.region.hasPrefix($0 + "-") }
            }
        }
    }

    /// Folded words without numbers, such as postal codes.
    private static func key(_ text: some StringProtocol) -> String {
        ScannedWord.all(of: String(text)).map(\.key).filter { !$0.contains(where: \.isNumber) }.joined(separator: " ")
    }
}

extension Gazetteer {
    /// The project's own small list: some two hundred and fifty towns, created on first use.
    public static let builtIn: Gazetteer = {
        do {
            return try Gazetteer(String(decoding: PackageResources.places_txt, as: UTF8.self))
        } catch {
            preconditionFailure("the built-in list of towns: \(error)")
        }
    }()
}
