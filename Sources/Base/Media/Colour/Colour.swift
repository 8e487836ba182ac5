/// An opaque sRGB colour, 8 bits per channel.
public struct Colour: Hashable, Sendable {
    /// The red component, 0...255.
    public var red: UInt8
    /// The green component, 0...255.
    public var green: UInt8
    /// The blue component, 0...255.
    public var blue: UInt8

    /// A colour from three sRGB components.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The background if a caller names none.
    public static let white = Colour(red: 255, green: 255, blue: 255)
    /// The colour with all components 0.
    public static let black = Colour(red: 0, green: 0, blue: 0)

    /// Parses `white`, `black`, `rgb` and `rrggbb` in hexadecimal digits, with or without `#`; `nil` for anything else.
    public init?(parsing text: some StringProtocol) {
        switch text.lowercased() {
        case "white": self = .white
        case "black": self = .black
        default:
            let values = text.drop { $0 == "#" }.utf8.map(Hex.value(of:))
            let digits = values.compactMap { $0 }
            guard digits.count == values.count else { return nil }
            switch digits.count {
            case 3: self.init(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
            case 6:
                self.init(
                    red: digits[0] << 4 | digits[1], green: digits[2] << 4 | digits[3],
                    blue: digits[4] << 4 | digits[5])
            default: return nil
            }
        }
    }

    /// Six lower-case hexadecimal digits.
    public var hex: String { Hex.string([red, green, blue]) }
}
