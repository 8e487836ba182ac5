public import Media

/// A configuration file: lines of `name = value`; `#` begins a comment. An unknown name is an error, so that no
/// misspelt setting is silently ignored.
public struct SettingsFile: Sendable {
    /// The file's location, for messages.
    public let path: String
    /// The text of each setting in the file; of two lines for one setting the later counts.
    public let values: [Setting: String]

    /// Parses the file's text.
    ///
    /// - Throws: `usage` with the number of the first line that is not a setting.
    public init(path: String, text: String) throws(Failure) {
        var values: [Setting: String] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.prefix { $0 != "#" }.trimmed
            if content.isEmpty { continue }
            let parts = content.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let setting = Setting(rawValue: String(parts[0].trimmed)) else {
                let names = Setting.allCases.map(\.rawValue).joined(separator: ", ")
                throw Failure(
                    .usage,
                    message:
                        "\(path), line \(index + 1): “\(content)” is not a setting. Use `name = value`; names: \(names)."
                )
            }
            values[setting] = String(parts[1].trimmed)
        }
        self.path = path
        self.values = values
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var rest = drop { $0.isWhitespace }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
