internal import CLinux
package import Console

// The settings as the services print and complete them.
extension Settings {
    /// A line for each setting: name, value, origin and meaning.
    package var listing: String {
        entries.map { entry in
            let origin =
                switch entry.origin {
                case .flag: "flag"
                case .environment: entry.setting.variable
                case .file(let path): path
                case .standard: "default"
                }
            return [(entry.setting.rawValue, 17), (entry.shown, 28), (origin, 18)].map { text, width in
                text + String(repeating: " ", count: max(0, width - text.count)) + " "
            }.joined() + entry.setting.summary + "\n"
        }.joined()
    }

    /// The working folder of this process.
    package static var workingFolder: String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }
}
