public import Media

/// The things that an entry of the audit log is about, by their IDs.
///
/// It consists of IDs and digests only. So no text that people choose, such as a file's name, gets into the log and
/// outlives what it names.
public struct AuditThings: Hashable, Sendable {
    let text: String

    private init(text: String) { self.text = text }

    /// A thing by its ID.
    public init<Subject>(_ id: ID<Subject>) { text = id.text }

    /// A thing by the text of its ID; `nil` for any other text.
    public init?(identity text: some StringProtocol) {
        guard let id = ID<AuditThings>(text) else { return nil }
        self.init(id)
    }

    /// A thing whose ID grants a right: the first 16 digits of its digest.
    public init(_ digest: Digest) { text = String(digest.hex.prefix(16)) }

    /// A provider at which a person signs in, by its name in the operator's settings.
    public init(connectedProvider name: String) { text = "connected \(name)" }

    /// Several things; `nil` if there are none.
    public init?(_ things: [AuditThings]) {
        guard !things.isEmpty else { return nil }
        text = things.prefix(Self.most).map(\.text).joined(separator: " ")
    }

    /// The IDs in a text, such as a filter; `nil` if it has none.
    public init?(identitiesIn text: String) {
        let words = text.split { !$0.isHexDigit && $0 != "-" }
        self.init(words.compactMap { AuditThings(identity: $0) })
    }

    /// The most things in one entry; further ones are left out.
    private static let most = 5
}
