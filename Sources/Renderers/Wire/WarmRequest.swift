public import Media

/// One host's request to another with warm renderers: to make renditions of one source in their shared cache.
///
/// The source's descriptor accompanies the message.
public struct WarmRequest: Hashable, Sendable {
    /// The sender's terms, which the receiver compares with its own.
    public var terms: WarmTerms
    /// The last part of the source's name; its extension helps to guess.
    public var name: String
    /// The requested renditions, at least one.
    public var recipes: [Recipe]
    /// Whether to make everything, whatever the cache has.
    public var isForced: Bool
    /// Whether even a large source is hashed.
    public var wantsDigest: Bool
    /// How many threads one child may use.
    public var threadCount: Int

    /// A request on these terms.
    public init(
        terms: WarmTerms, name: String, recipes: [Recipe], isForced: Bool, wantsDigest: Bool, threadCount: Int
    ) {
        self.terms = terms
        self.name = name
        self.recipes = recipes
        self.isForced = isForced
        self.wantsDigest = wantsDigest
        self.threadCount = threadCount
    }

    /// The parser refuses a longer list.
    public static let mostRecipes = Wire.longestList
    /// The longest name, in bytes: the limit of file systems.
    public static let longestName = 255
    private static let threads = 1...64
}

extension WarmRequest: WireMessage {
    /// The request as one message.
    public var bytes: [UInt8] {
        var writer = WireWriter.versioned()
        writer.write(terms)
        writer.write(name)
        writer.write(recipes) { $0.write($1.canonical) }
        writer.write(isForced)
        writer.write(wantsDigest)
        writer.write(UInt8(Self.threads.contains(threadCount) ? threadCount : 1))
        return writer.bytes
    }

    /// Parses a request; a name with a zero byte or a list without recipes fails.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = try WireReader(versioned: bytes)
        terms = try reader.terms()
        name = try reader.text()
        guard name.utf8.count <= Self.longestName, !name.utf8.contains(0) else { throw reader.failure("name") }
        recipes = try reader.list { reader throws(WireError) in
            guard let recipe = Recipe(canonical: try reader.text()) else { throw reader.failure("recipe") }
            return recipe
        }
        guard !recipes.isEmpty else { throw reader.failure("recipes") }
        isForced = try reader.bool()
        wantsDigest = try reader.bool()
        threadCount = Int(try reader.integer(UInt8.self))
        guard Self.threads.contains(threadCount) else { throw reader.failure("threads") }
        try reader.finish()
    }
}
