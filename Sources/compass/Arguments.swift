public import ArgumentParser
public import Media

// The values that flags take, parsed by the types themselves.

extension Preset: @retroactive ExpressibleByArgument {}
extension Fit: @retroactive ExpressibleByArgument {}
extension DocumentType: @retroactive ExpressibleByArgument {}

extension Box: @retroactive ExpressibleByArgument {
    public init?(argument: String) { self.init(parsing: argument) }
}

extension Colour: @retroactive ExpressibleByArgument {
    public init?(argument: String) { self.init(parsing: argument) }
}

extension TimePosition: @retroactive ExpressibleByArgument {
    public init?(argument: String) { self.init(parsing: argument) }
}

extension Recipe.Format: @retroactive ExpressibleByArgument {
    public init?(argument: String) {
        switch argument.lowercased() {
        case "jpg": self = .jpeg
        default: self.init(rawValue: argument.lowercased())
        }
    }
}
