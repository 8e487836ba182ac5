/// What a person's list of sessions calls a program: `Chrome on Android`, made from the field `User-Agent`.
public struct ProgramName: Hashable, Sendable {
    /// The name; empty where the field says nothing known.
    public let text: String

    private static let mostCharacters = 40

    /// The browsers by the words that tell them, those first that also say another's word.
    private static let browsers = [
        ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"),
        ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
        ("Macintosh", "Mac"), ("Linux", "Linux"),
    ]

    /// - Parameter userAgent: the field's value; a program that is no browser is called by its first word.
    public init(userAgent: String?) {
        let field = String((userAgent ?? "").prefix(512))
        guard let browser = Self.browsers.first(where: { field.contains($0.0) })?.1 else {
            let word = field.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
            text = field.hasPrefix("Mozilla/") ? "" : String(word.prefix(Self.mostCharacters))
            return
        }
        let system = Self.systems.first { field.contains($0.0) }?.1
        text = system.map { "\(browser) on \($0)" } ?? browser
    }
}
