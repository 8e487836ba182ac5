public import Media

/// A reusable text for messages to coaches.
public struct CommunicationTemplate: Hashable, Sendable {
    /// The ID by which it is changed and removed.
    public let id: ID<CommunicationTemplate>
    /// The person whose list it is in.
    public let owner: ID<Person>
    /// The channel by which the text is sent.
    public var type: Channel
    /// 1 to 100 characters.
    public var name: String
    /// The text with `{{variable}}` in it, 1 to 10,000 characters.
    public var body: String
    /// When it was made.
    public let created: Instant
    /// When it was last changed.
    public var updated: Instant

    /// The channels by which a text is sent.
    public enum Channel: String, Hashable, Sendable, CaseIterable {
        case email
        case text
        case twitter
    }

    /// A template as the store has read it.
    public init(
        id: ID<CommunicationTemplate>, owner: ID<Person>, type: Channel, name: String, body: String, created: Instant,
        updated: Instant
    ) {
        self.id = id
        self.owner = owner
        self.type = type
        self.name = name
        self.body = body
        self.created = created
        self.updated = updated
    }
}

extension CommunicationTemplate {
    /// The variables that the app fills in.
    public static let knownVariables = ["coach_name", "athlete_name", "school_name", "sport"]

    /// The names between `{{` and `}}` in the body, each once, in the order of their first use.
    public var variables: [String] {
        var names: [String] = []
        for part in Self.parts(of: body) {
            if case .variable(let name) = part, !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The body with values in place of variables; a variable without a value stays as it is.
    public func preview(filledWith values: [String: String]) -> String {
        Self.parts(of: body).map { part in
            switch part {
            case .text(let text): text
            case .variable(let name): values[name] ?? "{{\(name)}}"
            }
        }.joined()
    }

    private enum Part {
        case text(String)
        case variable(String)
    }

    /// A variable's name has letters, digits and `_`, at most 64; spaces around it are allowed. Anything else is text.
    private static func parts(of body: String) -> [Part] {
        let characters = Array(body)
        var parts: [Part] = []
        var textStart = 0
        var index = 0
        while index + 1 < characters.count {
            guard characters[index] == "{", characters[index + 1] == "{",
                let (name, end) = variable(in: characters, at: index + 2)
            else {
                index += 1
                continue
            }
            parts += [.text(String(characters[textStart..<index])), .variable(name)]
            (index, textStart) = (end, end)
        }
        return parts + [.text(String(characters[textStart...]))]
    }

    /// The name that begins at a place, and the place behind its `}}`; `nil` if there is no variable.
    private static func variable(in characters: [Character], at start: Int) -> (name: String, end: Int)? {
        var rest = characters[start...].drop { $0.isWhitespace }
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        guard (1...64).contains(name.count) else { return nil }
        rest = rest[name.endIndex...].drop { $0.isWhitespace }
        guard rest.starts(with: ["}", "}"]) else { return nil }
        return (String(name), rest.startIndex + 2)
    }
}

extension Substring {
    /// Without white space at either end.
    var trimmingSpaces: Substring {
        var rest = drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
