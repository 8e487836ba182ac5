public import Media

/// An entry's facts about its source, which apply to all its renditions.
public struct StoredFacts: Hashable, Sendable {
    /// The facts of the source, without facts about one page or time.
    public var facts: Facts
    /// The ThumbHash as the text that programs print.
    public var placeholder: String?
    /// The renderer's build that found them.
    public var build: String

    /// Facts that a renderer of this build found.
    public init(facts: Facts, placeholder: String? = nil, build: String) {
        self.facts = facts
        self.placeholder = placeholder
        self.build = build
    }
}

extension StoredFacts {
    var json: JSON {
        .object(["facts": facts.json, "placeholder": placeholder.map(JSON.string), "build": .string(build)])
    }

    init?(json: JSON) {
        guard let facts = json["facts"].flatMap(Facts.init(json:)), let build = json["build"]?.string else {
            return nil
        }
        self.init(facts: facts, placeholder: json["placeholder"]?.string, build: build)
    }
}
