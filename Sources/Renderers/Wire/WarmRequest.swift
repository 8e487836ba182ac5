public import Media

/// What one host asks of another whose renderers are warm: renditions of one source, whose descriptor comes with the
/// message, into the cache that both have.
public struct WarmRequest: Hashable, Sendable {
    public var terms: WarmTerms
    /// The last part of the source's name: its extension helps to guess.
    public var name: String
    public var recipes: [Recipe]
    public var isForced: Bool
    public var wantsDigest: Bool
    /// How many threads one child may use.
    public var threadCount: Int

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

    /// More recipes do not fit one request.
    public static let mostRecipes = Wire.longestList
    /// A file's name has at most 255 bytes.
    public static let longestName = 255
    private static let threads = 1...64
}

extension WarmRequest: WireMessage {
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
