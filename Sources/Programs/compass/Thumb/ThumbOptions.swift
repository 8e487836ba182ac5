import ArgumentParser
import Console
import Media

/// The flags of `compass thumb` that concern neither the recipes nor the settings of all commands.
struct ThumbOptions: SettingFlags {
    var given: [Setting: String] = [:]
    var output: FilePath?
    var json = false
    var endsPathsWithZero = false
    var isForced = false
    var ignoresCache = false
    var wantsDigest = false
    var explains = false

    static let flags: [CommandFlag<ThumbOptions>] = [
        .option(
            "output", letter: "o",
            "Write to a file, a folder, a pattern with {stem} {name} {recipe} {index} {ext}, or - for standard output.",
            value: "target"
        ) { $0.output = $1 },
        .flag("json", "Print a line of JSON for each file.") { $0.json = true },
        .flag("print0", "End each path with a zero byte, as find -print0 does: for xargs -0.") {
            $0.endsPathsWithZero = true
        },
        .setting(.jobs),
        .flag("force", "Make everything again, whatever the cache has.") { $0.isForced = true },
        .flag("no-cache", "Use no cache: neither read it nor write to it.") { $0.ignoresCache = true },
        .flag(
            "digest", "Compute the digest even of a large file, so that its renditions are found by content."
        ) { $0.wantsDigest = true },
        .setting(.warmSocket),
        .flag(
            "explain",
            "Explain how each file was opened: process, decoder, orientation, colours, frame, shrinking, limits, times."
        ) { $0.explains = true },
    ]
}
