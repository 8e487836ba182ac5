/// The identity of a stored file: 32 unguessable hexadecimal digits. No other file ever gets it.
public struct ObjectID: RawRepresentable, Hashable, Sendable {
    /// The digits in lower case, as in rows, keys and jobs.
    public let rawValue: String

    /// `nil` for any other text.
    public init?(rawValue: String) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
        guard rawValue.utf8.count == 32,
            rawValue.utf8.allSatisfy({ digits.contains($0) || letters.contains($0) })
        else { return nil }
        self.rawValue = rawValue
    }

    /// A new identity from the system's generator.
    public static func random() -> ObjectID { ObjectID(rawValue: Hex.string([UInt8].random(count: 16)))! }

    /// The first two digits: the name of the store's folder for the object.
    public var folder: String { String(rawValue.prefix(2)) }
}

extension ObjectID: CustomStringConvertible {
    /// The digits, as in `rawValue`.
    public var description: String { rawValue }
}
