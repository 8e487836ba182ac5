/// A reusable text for messages to coaches.
public struct CommunicationTemplate: Hashable, Sendable {
    /// The identity by which it is changed and removed.
    public let id: ID<CommunicationTemplate>
    /// The person in whose list it is.
    public let owner: ID<Person>
    /// The way by which the text is sent.
    public var type: Channel
    /// 1 to 100 characters.
    public var name: String
    /// The text with `{{variable}}` in it, 1 to 10,000 characters.
    public var body: String
    /// When it was made.
    public let created: Instant
    /// When it was changed last.
    public var updated: Instant

    /// The ways by which a text is sent.
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

    /// A variable's name has letters, digits and `_`; spaces around it are allowed. Anything else is text.
    private static func parts(of body: String) -> [Part] {
        var parts: [Part] = []
        var rest = body[...]
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            let inner = rest[start.upperBound..<end.lowerBound].trimmingSpaces
            if !inner.isEmpty, inner.utf8.count <= 64, inner.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
                parts.append(.text(String(rest[..<start.lowerBound])))
                parts.append(.variable(String(inner)))
                rest = rest[end.upperBound...]
            } else {
                parts.append(.text(String(rest[..<start.upperBound])))
                rest = rest[start.upperBound...]
            }
        }
        return parts + [.text(String(rest))]
    }
}

extension Substring {
    /// Without white space at either end.
    var trimmingSpaces: Substring {
        var rest = drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }

    fileprivate func firstRange(of text: String) -> Range<Index>? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(text) { return index..<self.index(index, offsetBy: text.count) }
            formIndex(after: &index)
        }
        return nil
    }
}
