internal import ArgumentParser
package import Settings

/// The flags of settings that all commands of `compass` share which open files: where the cache is, and how much one file
/// may use.
package struct SettingsOptions: SettingFlags, Equatable {
    package var given: [Setting: String] = [:]

    package init() {}

    package static let flags: [CommandFlag<SettingsOptions>] =
        [
            .cache, .timeout, .memory, .memoryBudget, .maxPixels, .maxWholePixels, .maxFramePixels, .maxStreams,
            .maxPosterRead, .maxInput, .maxUnhashed, .cacheOwner, .cacheBudget, .controlGroup, .requireSandbox,
        ].map { .setting($0) }
}
