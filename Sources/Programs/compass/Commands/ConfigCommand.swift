import ArgumentParser
import Console
import Media

/// `compass config`: prints every setting with its value and origin.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print every setting with its value and origin.",
        discussion: """
            A value comes from a flag, else from the environment (COMPASS_TIMEOUT and so on), else from the file \
            $COMPASS_CONFIG, $XDG_CONFIG_HOME/compass/config or /etc/compass/config (lines of `name = value`), else it is \
            the default.
            """)

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup(title: "Settings")
    var settings: SettingsOptions

    func run() throws {
        let settings = try settings.resolve()
        if json {
            let members = settings.entries.map { entry in
                JSON.Member(
                    entry.setting.rawValue,
                    .object(["value": .string(entry.text), "origin": .string(origin(entry))]))
            }
            StandardOutput.write(JSON.object(members).text + "\n")
            return
        }
        for entry in settings.entries {
            StandardOutput.write(
                Columns.line([
                    (entry.setting.rawValue, 17), (entry.text, 24), (origin(entry), 18), (entry.setting.summary, 0),
                ]))
        }
    }

    private func origin(_ entry: Settings.Entry) -> String {
        switch entry.origin {
        case .flag: "flag"
        case .environment: entry.setting.variable
        case .file(let path): path
        case .standard: "default"
        }
    }
}
