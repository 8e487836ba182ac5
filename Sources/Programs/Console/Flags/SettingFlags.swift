package import ArgumentParser
package import Media

/// A group of flags that set settings; the name, help and value of each come from `Setting.flag`.
package protocol SettingFlags: FlagTable {
    /// The text of each flag that was given.
    var given: [Setting: String] { get set }
}

extension SettingFlags {
    /// Resolves all settings; these flags take precedence over every other source.
    ///
    /// - Throws: `usage` naming the setting, its origin and the values that it takes.
    package func resolve() throws(Failure) -> Settings { try Settings(ofCallWith: given) }
}

extension CommandFlag where Options: SettingFlags {
    /// The flag of a setting that has one.
    ///
    /// - Parameter help: the program's own sentence about it, if that of `Setting.flag` does not fit.
    package static func setting(
        _ setting: Setting, help: String? = nil, completion: CompletionKind? = nil
    ) -> CommandFlag {
        let flag = setting.flag!
        guard let value = flag.value else {
            return .flag(flag.name, help ?? flag.help) { $0.given[setting] = flag.text }
        }
        return .option(flag.name, help ?? flag.help, value: value, completion: completion) { $0.given[setting] = $1 }
    }
}
