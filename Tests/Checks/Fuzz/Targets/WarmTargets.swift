import Media
import Wire

/// The messages between hosts.
extension WireTargets {
    static func warmRequest(_ bytes: [UInt8]) throws(Broken) {
        try survives(bytes, as: WarmRequest.self)
        guard let request = try? WarmRequest(parsing: bytes) else { return }
        try holds(!request.recipes.isEmpty, "a request for nothing")
        try holds(request.name.utf8.count <= WarmRequest.longestName, "a name longer than any file's")
        try holds((1...64).contains(request.threadCount), "threads without bound")
        // Any limits are allowed here: they are only compared, never used.
        _ = request.terms.refusal(of: request.terms)
    }

    static func warmAnswer(_ bytes: [UInt8]) throws(Broken) {
        try survives(bytes, as: WarmAnswer.self)
        guard case .made(let result) = try? WarmAnswer(parsing: bytes) else { return }
        var texts =
            result.steps.map(\.name) + result.missingLayers
            + [result.facts?.title, result.placeholder].compactMap { $0 }
        texts += result.failures.flatMap { [$0?.message, $0?.detail].compactMap { $0 } }
        for text in texts { try holds(isPrintable(text), "a text that controls a terminal") }
        for step in result.steps { try holds(Int64(exactly: step.duration) != nil, "a step without end") }
    }

    static var warmRequests: [[UInt8]] {
        var limits = Limits()
        limits.wallTime = .milliseconds(1500)
        let terms = WarmTerms(
            version: "1.2.3", renderers: 77, cacheDevice: 1, cacheInode: 1 << 40, limits: limits,
            maxUnhashedByteCount: 16 << 20, requiresSandbox: true)
        var recipe = Preset.list.recipe
        recipe.time = .permille(100)
        recipe.pageIndex = 3
        let lists = [
            [Preset.grid.recipe], [Preset.preview.recipe, recipe],
            Array(repeating: recipe, count: Wire.longestList),
        ]
        return lists.map { recipes in
            WarmRequest(
                terms: terms, name: "talk.mp4", recipes: recipes, isForced: true, wantsDigest: false, threadCount: 2
            ).bytes
        }
    }

    static var warmAnswers: [[UInt8]] {
        var facts = Facts(mediaType: .mp4, byteCount: 99)
        facts.title = "Title"
        let result = WarmResult(
            digest: Digest(bytes: [UInt8](repeating: 7, count: 32)), facts: facts, placeholder: "1QcSHQRn",
            failures: [nil, Failure(.encrypted, detail: "why")], isCached: false, peakByteCount: 1 << 30,
            steps: [.init(name: "render", duration: 5_000_000)], duration: 6_000_000,
            missingLayers: ["NO NAMESPACES"])
        return [
            WarmAnswer.accepted, .refused("other limits"), .refused(String(repeating: "why ", count: Wire.longestText)),
            .made(result), .failed(Failure(.sourceMissing)),
        ].map(\.bytes)
    }
}
