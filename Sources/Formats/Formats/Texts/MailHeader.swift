/// Recognises mail messages (RFC 5322) by the fields that mail programs and servers write.
enum MailHeader {
    /// Whether the text begins with at least three header fields, among them a mail system's and a person's.
    static func isOne(_ text: Bytes) -> Bool {
        let names = Set(fieldNames(text))
        return !names.isDisjoint(with: ["message-id", "received", "return-path", "mime-version"])
            && !names.isDisjoint(with: ["from", "date", "subject", "to"]) && names.count >= 3
    }

    /// The names of the header fields in the first hundred lines, up to the first line without one.
    private static func fieldNames(_ text: Bytes) -> [String] {
        var names: [String] = []
        var lines = TextLines(text)
        for _ in 0..<100 {
            guard let line = lines.next(), let first = line[0] else { break }
            // A line that begins with white space continues the previous field.
            if ASCII.isSpace(first) && !names.isEmpty { continue }
            guard let colon = line.firstOffset(of: ":", in: 1..<min(64, max(1, line.count))),
                let name = line.text(at: 0, count: colon),
                !name.contains(" ")
            else { break }
            names.append(name.lowercased())
        }
        return names
    }
}
