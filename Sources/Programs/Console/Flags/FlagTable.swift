package import ArgumentParser

/// A group of flags that a table declares. Both readers of the command line, ArgumentParser and `WordReader`, use the
/// table.
///
/// ArgumentParser finds the flags of a type by reflection, so the type presents the table's flags as its mirror.
package protocol FlagTable: ParsableArguments, CustomReflectable {
    /// The flags in the order of the help.
    static var flags: [CommandFlag<Self>] { get }
}

extension FlagTable {
    /// A property wrapper for each flag, as ArgumentParser expects them.
    package var customMirror: Mirror {
        Mirror(self, children: Self.flags.map { (label: $0.name, value: $0.declaration()) })
    }

    /// Takes the values that ArgumentParser has read.
    package init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: FlagKey.self)
        for flag in Self.flags { try flag.decode(&self, container) }
    }
}
