/// The location of the rows of documents and jobs.
public enum DatabasePlace: Hashable, Sendable {
    /// An SQLite file, absolute or relative to the working folder.
    case file(String)
    /// The address of a PostgreSQL server and database, as `postgres://…`; it may hold a password.
    case server(String)

    /// A place as the setting `database` names it; `nil` for any other text.
    init?(parsing text: String) {
        if text.hasPrefix("sqlite:"), text.count > 7 {
            self = .file(String(text.dropFirst(7)))
        } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            self = .server(text)
        } else {
            return nil
        }
    }

    /// A server's address without its password, for people; any other text unchanged.
    static func withoutPassword(_ text: String) -> String {
        guard case .server? = DatabasePlace(parsing: text), let start = text.firstRange(of: "://")?.upperBound else {
            return text
        }
        let authority = text[start...].prefix { $0 != "/" && $0 != "?" }
        guard let end = authority.lastIndex(of: "@"), let colon = authority[..<end].firstIndex(of: ":") else {
            return text
        }
        return text[...colon] + "…" + text[end...]
    }
}
