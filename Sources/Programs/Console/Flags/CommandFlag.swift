package import ArgumentParser

/// One flag of a command line, declared once: ArgumentParser takes its help, errors and completions from here, and
/// `WordReader` reads it without ArgumentParser.
package struct CommandFlag<Options>: Sendable {
    /// The flag's name without hyphens.
    package let name: String
    /// A further name of one letter.
    let letter: Character?
    /// The number of values that the flag takes.
    package let arity: Arity
    /// Stores a value's text (empty for a flag without a value). Returns `false` if the text is not a valid value.
    let store: @Sendable (inout Options, String) -> Bool
    /// The property wrapper that declares the flag to ArgumentParser.
    let declaration: @Sendable () -> any Sendable
    /// Stores what ArgumentParser has read.
    let decode: @Sendable (inout Options, KeyedDecodingContainer<FlagKey>) throws -> Void

    /// How many values a flag takes.
    package enum Arity: Sendable {
        case noValue
        /// A value, which may be given once.
        case value
        /// A value each time the flag is given.
        case values
    }

    /// A flag without a value, such as `--force`.
    ///
    /// - Parameter apply: runs if the flag is given.
    package static func flag(
        _ name: String, _ help: String, _ apply: @escaping @Sendable (inout Options) -> Void
    ) -> CommandFlag {
        CommandFlag(
            name, .noValue,
            store: { options, _ in
                apply(&options)
                return true
            },
            declaration: { Flag(wrappedValue: false, name: .customLong(name), help: ArgumentHelp(help)) },
            decoded: { if $1.wrappedValue { apply(&$0) } })
    }

    /// A flag with a value, such as `--size 640x360`.
    ///
    /// - Parameters:
    /// - letter: a second name.
    /// - value: the word for the value in the help; `nil` for the flag's name.
    /// - apply: runs if the flag is given.
    package static func option<Value: ExpressibleByArgument>(
        _ name: String, letter: Character? = nil, _ help: String, value: String? = nil,
        completion: CompletionKind? = nil, _ apply: @escaping @Sendable (inout Options, Value) -> Void
    ) -> CommandFlag where Value: Sendable {
        CommandFlag(
            name, letter: letter, .value, store: Self.store(apply),
            declaration: {
                Option<Value?>(
                    name: letter.map { [.customLong(name), .customShort($0)] } ?? .customLong(name),
                    help: ArgumentHelp(help, valueName: value), completion: completion)
            },
            decoded: { if let value = $1.wrappedValue { apply(&$0, value) } })
    }

    /// A flag with a value that has a default, which the help names.
    package static func option<Value: ExpressibleByArgument>(
        _ name: String, _ help: String, standard: Value, _ apply: @escaping @Sendable (inout Options, Value) -> Void
    ) -> CommandFlag where Value: Sendable {
        CommandFlag(
            name, .value, store: Self.store(apply),
            declaration: { Option(wrappedValue: standard, name: .customLong(name), help: ArgumentHelp(help)) },
            decoded: { apply(&$0, $1.wrappedValue) })
    }

    /// A flag with a value that may be given several times.
    ///
    /// - Parameter add: runs for every value, in their order.
    package static func options<Value: ExpressibleByArgument>(
        _ name: String, _ help: String, value: String, _ add: @escaping @Sendable (inout Options, Value) -> Void
    ) -> CommandFlag where Value: Sendable {
        CommandFlag(
            name, .values, store: Self.store(add),
            declaration: {
                Option<[Value]>(wrappedValue: [], name: .customLong(name), help: ArgumentHelp(help, valueName: value))
            },
            decoded: { for value in $1.wrappedValue { add(&$0, value) } })
    }

    private static func store<Value: ExpressibleByArgument>(
        _ apply: @escaping @Sendable (inout Options, Value) -> Void
    ) -> @Sendable (inout Options, String) -> Bool {
        { options, text in
            guard let value = Value(argument: text) else { return false }
            apply(&options, value)
            return true
        }
    }

    private init<Wrapper: Decodable & Sendable>(
        _ name: String, letter: Character? = nil, _ arity: Arity,
        store: @escaping @Sendable (inout Options, String) -> Bool,
        declaration: @escaping @Sendable () -> Wrapper,
        decoded: @escaping @Sendable (inout Options, Wrapper) -> Void
    ) {
        self.name = name
        self.letter = letter
        self.arity = arity
        self.store = store
        self.declaration = declaration
        decode = { decoded(&$0, try $1.decode(Wrapper.self, forKey: FlagKey(name))) }
    }

    /// Whether a word of the command line is this flag.
    func isNamed(_ word: String) -> Bool {
        if word.hasPrefix("--") { return word.utf8.dropFirst(2).elementsEqual(name.utf8) }
        return letter.map { word == "-\($0)" } ?? false
    }
}

/// A flag's name as the key of its value.
struct FlagKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
