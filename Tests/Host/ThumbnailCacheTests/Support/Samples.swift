import Hashing
import Media
import ThumbnailCache

/// Keys, recipes and renditions of tests.
enum Samples {
    static let grid = Preset.grid.recipe
    static let list = Preset.list.recipe
    static let build = "fake 1.0"

    static func digest(_ number: Int) -> Digest { SHA256.digest(of: Array("source \(number)".utf8)) }

    static func key(_ number: Int = 1) -> SourceKey { .digest(digest(number)) }

    /// A rendition whose bytes differ by `seed` in every place.
    static func rendition(_ seed: UInt8 = 1, byteCount: Int = 3000, format: RenditionFormat = .jpeg) -> Rendition {
        Rendition(
            bytes: (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) ^ seed }, format: format, width: 640,
            height: 360, placeholder: "1QcSHQRnh493V4dIh4eXh1h4kJUI", poster: Facts.Poster(time: 1.5, reason: "first"),
            build: build)
    }

    static var facts: StoredFacts {
        var facts = Facts(mediaType: .mp4, byteCount: 12_345_678_901)
        facts.width = 1920
        facts.duration = 83.48
        facts.title = "Spiel \"1\" – Höhepunkte"
        facts.poster = Facts.Poster(time: 0, reason: "first")
        return StoredFacts(facts: facts, placeholder: "1QcSHQ", build: build)
    }
}

extension Lookup {
    var rendition: Rendition? {
        if case .hit(let stored) = self { stored.rendition } else { nil }
    }

    var storedFailure: StoredFailure? {
        if case .failure(let stored) = self { stored } else { nil }
    }
}

extension FolderCache {
    /// A lookup by a caller whose renderer has the samples' build.
    func lookup(_ key: SourceKey, _ recipe: Recipe = Samples.grid) -> Lookup {
        lookup(key, recipe: recipe) { Samples.build }
    }
}

extension FolderCache {
    /// Where a recipe's record or rendition lies below the cache's folder.
    static func place(_ key: SourceKey, _ suffix: String, of recipe: Recipe = Samples.grid) -> String {
        "\(key.folder)/\(recipe.name).\(suffix)"
    }
}
