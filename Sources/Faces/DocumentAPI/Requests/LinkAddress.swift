internal import Documents
internal import HTTPSyntax
internal import Hummingbird

/// The addresses that a link's visitors use. They name the link in the query, which is not logged.
enum LinkAddress {
    /// The query's parameter with the token.
    static let parameter = "link"

    /// The page for visitors.
    static func page(_ token: ShareLink.Token) -> String { "/shared?\(parameter)=\(token.text)" }

    /// A part of the document.
    static func part(_ path: String, _ token: ShareLink.Token, _ query: String = "") -> String {
        "/api/shared/\(path)?\(query.isEmpty ? "" : "\(query)&")\(parameter)=\(token.text)"
    }
}

extension Request {
    /// The token in the query.
    ///
    /// - Throws: `notFound` if there is none.
    func linkToken() throws -> ShareLink.Token {
        guard let token = try queryItems()[LinkAddress.parameter].flatMap(ShareLink.Token.init) else {
            throw DocumentError.notFound(.link)
        }
        return token
    }
}
