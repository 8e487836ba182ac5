public import Media

/// A configuration file: lines of `name = value`; `#` begins a comment. A name that is none of the settings is an error,
/// since a slip of the pen would otherwise be silent.
public struct SettingsFile: Sendable {
    public let path: String
    public let values: [Setting: String]

    /// Parses the file's text.
    ///
    /// - Throws: `usage` with the line's number.
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
                        "\(path), line \(index + 1): “\(content)” is no setting. Lines are `name = value`; names: \(names)."
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
