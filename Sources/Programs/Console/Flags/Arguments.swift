public import ArgumentParser
public import Media

// The types of flags' values, which parse themselves.

extension Preset: ExpressibleByArgument {}
extension Fit: ExpressibleByArgument {}
extension DocumentType: ExpressibleByArgument {}

extension Box: ExpressibleByArgument {
    /// Parses `640`, `640x360`, `640x` or `x360`.
    public init?(argument: String) { self.init(parsing: argument) }
}

extension FilePath: ExpressibleByArgument {
    /// Takes a path whose bytes need not be UTF-8.
    ///
    /// - Parameter argument: one of `Process.arguments`.
    public init?(argument: String) { self.init(carrier: argument) }
}

extension Colour: ExpressibleByArgument {
    /// Parses `white`, `black` or `rrggbb`.
    public init?(argument: String) { self.init(parsing: argument) }
}

extension TimePosition: ExpressibleByArgument {
    /// Parses seconds, `00:01:23` or a percentage.
    public init?(argument: String) { self.init(parsing: argument) }
}

extension Recipe.Format: ExpressibleByArgument {
    /// Parses a format in upper or lower case; `jpg` is `jpeg`.
    public init?(argument: String) {
        switch argument.lowercased() {
        case "jpg": self = .jpeg
        default: self.init(rawValue: argument.lowercased())
        }
    }
}
