public import ArgumentParser
public import Media

// The values that flags take, parsed by the types themselves.

extension Preset: ExpressibleByArgument {}
extension Fit: ExpressibleByArgument {}
extension DocumentType: ExpressibleByArgument {}

extension Box: ExpressibleByArgument {
    public init?(argument: String) { self.init(parsing: argument) }
}

extension FilePath: ExpressibleByArgument {
    /// - Parameter argument: one of `Process.arguments`.
    public init?(argument: String) { self.init(carrier: argument) }
}

extension Colour: ExpressibleByArgument {
    public init?(argument: String) { self.init(parsing: argument) }
}

extension TimePosition: ExpressibleByArgument {
    public init?(argument: String) { self.init(parsing: argument) }
}

extension Recipe.Format: ExpressibleByArgument {
    public init?(argument: String) {
        switch argument.lowercased() {
        case "jpg": self = .jpeg
        default: self.init(rawValue: argument.lowercased())
        }
    }
}
