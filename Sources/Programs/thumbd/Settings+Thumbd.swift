import CLinux
import Settings

// What thumbd says of its settings.
extension Settings {
    /// One line a setting: name, value, origin, meaning.
    var listing: String {
        entries.map { entry in
            let origin =
                switch entry.origin {
                case .flag: "flag"
                case .environment: entry.setting.variable
                case .file(let path): path
                case .standard: "default"
                }
            return [(entry.setting.rawValue, 17), (entry.text, 28), (origin, 18)].map { text, width in
                text + String(repeating: " ", count: max(0, width - text.count)) + " "
            }.joined() + entry.setting.summary + "\n"
        }.joined()
    }

    /// Where this process runs.
    static var workingFolder: String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }
}
