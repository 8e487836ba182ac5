/// The name of a program in a person's list of sessions: `Chrome on Android`, made from the field `User-Agent`.
public struct ProgramName: Hashable, Sendable {
    /// The name; empty if the field has no known program.
    public let text: String

    private static let mostCharacters = 40

    /// Browsers by the words that identify them. A browser whose field also has another's word comes before that one.
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

    /// - Parameter userAgent: the field's value; a program that is not a browser is named by its first word.
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
