internal import ArgumentParser
package import Media
package import Settings

/// The flags that every command shares: where the cache is, and what one file may use.
package struct SettingsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Folder of the cache.", valueName: "folder"))
    var cache: String?

    @Option(help: ArgumentHelp("Seconds that one file may take.", valueName: "seconds"))
    var timeout: String?

    @Option(help: ArgumentHelp("Private memory that one file may take.", valueName: "bytes"))
    var memory: String?

    @Option(help: ArgumentHelp("Private memory that all files in work may take together, or half.", valueName: "bytes"))
    var memoryBudget: String?

    @Option(help: ArgumentHelp("Largest picture that is decoded in strips.", valueName: "pixels"))
    var maxPixels: String?

    @Option(help: ArgumentHelp("Largest picture that must be whole in memory.", valueName: "pixels"))
    var maxWholePixels: String?

    @Option(help: ArgumentHelp("Largest video frame.", valueName: "pixels"))
    var maxFramePixels: String?

    @Option(help: ArgumentHelp("Most streams in a video's container.", valueName: "count"))
    var maxStreams: String?

    @Option(help: ArgumentHelp("Most that is read from a video to find its picture.", valueName: "bytes"))
    var maxPosterRead: String?

    @Option(help: ArgumentHelp("Most that is taken from standard input.", valueName: "bytes"))
    var maxInput: String?

    @Option(help: ArgumentHelp("Largest file whose digest is computed at once.", valueName: "bytes"))
    var maxUnhashed: String?

    @Option(help: ArgumentHelp("Another user whom the cache's folder may belong to.", valueName: "number"))
    var cacheOwner: String?

    @Option(help: ArgumentHelp("Bytes that the cache may take.", valueName: "bytes"))
    var cacheBudget: String?

    @Flag(help: "Put the renderers into a control group with a bound on their memory, or fail (cgroup v2, delegated).")
    var controlGroup = false

    @Flag(help: "Open nothing where the machine lacks a layer of the sandbox.")
    var requireSandbox = false

    package init() {}

    /// What of it was given.
    package func flags(jobs: String? = nil) -> [Setting: String] {
        let given: [Setting: String?] = [
            .cache: cache, .timeout: timeout, .memory: memory, .memoryBudget: memoryBudget, .maxPixels: maxPixels,
            .maxWholePixels: maxWholePixels, .maxFramePixels: maxFramePixels, .maxStreams: maxStreams,
            .maxPosterRead: maxPosterRead, .maxInput: maxInput, .maxUnhashed: maxUnhashed, .cacheOwner: cacheOwner,
            .cacheBudget: cacheBudget,
            .jobs: jobs,
            .controlGroup: controlGroup ? "yes" : nil, .requireSandbox: requireSandbox ? "yes" : nil,
        ]
        return given.compactMapValues { $0 }
    }

    /// All settings, these flags first.
    package func resolve(jobs: String? = nil) throws(Failure) -> Settings {
        try Settings(ofCallWith: flags(jobs: jobs))
    }
}
