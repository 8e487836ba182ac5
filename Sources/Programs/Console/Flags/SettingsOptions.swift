internal import ArgumentParser

/// The flags of settings that all commands of `compass` that open files share: where the cache is, and how much one
/// file may use.
package struct SettingsOptions: SettingFlags, Equatable {
    /// The text of each flag that was given.
    package var given: [Setting: String] = [:]

    /// No flag given: every setting comes from other sources.
    package init() {}

    /// The flags under “Settings”.
    package static let flags: [CommandFlag<SettingsOptions>] = settings.map { .setting($0) }

    /// The settings that have a flag here.
    package static let settings: [Setting] = [
        .cache, .timeout, .memory, .memoryBudget, .maxPixels, .maxWholePixels, .maxFramePixels, .maxStreams,
        .maxPosterRead, .maxInput, .maxUnhashed, .cacheOwner, .cacheBudget, .s3Endpoint, .allowPrivateAddresses,
        .controlGroup, .requireSandbox,
    ]
}
