internal import HTTPSyntax
internal import Media

/// A mail of plain text to one recipient.
public struct MailMessage: Hashable, Sendable {
    /// The recipient's address, in ASCII.
    public let recipient: String
    /// One line.
    public let subject: String
    /// Lines that end in `\n`.
    public let body: String

    /// A mail to an address in ASCII.
    public init(to recipient: String, subject: String, body: String) {
        self.recipient = recipient
        self.subject = subject
        self.body = body
    }

    /// The mail in wire format: CRLF line ends, UTF-8 in base64, so that no line is too long (RFC 5322, RFC 2045).
    ///
    /// - Parameter time: seconds since 1970.
    func text(from sender: MailSender, at time: Int64) -> [UInt8] {
        let identity = Hex.string([UInt8].random(count: 16))
        let domain = sender.address.split(separator: "@").last ?? "localhost"
        var lines = [
            "From: \(sender.header)", "To: <\(recipient)>", "Subject: \(Self.encoded(subject))",
            "Date: \(HTTPDate(seconds: time).text.replacing("GMT", with: "+0000"))",
            "Message-ID: <\(identity)@\(domain)>", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
            // Autoresponders do not answer such a mail (RFC 3834).
            "Auto-Submitted: auto-generated", "",
        ]
        var rest = Array(Base64.encode(Array(body.replacing("\n", with: "\r\n").utf8)))[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(76)))
            rest = rest.dropFirst(76)
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// A header's text, in any characters (RFC 2047). No line of it can start another header.
    ///
    /// - Parameter plain: the characters besides letters and digits that need no encoding.
    package static func encoded(_ text: String, plain: String = " -'.,:!?()") -> String {
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || plain.contains($0) }
        if isPlain, text.utf8.count <= 70 { return text }
        // An encoded word has at most 75 characters and splits no character.
        var (words, word) = ([String](), "")
        for letter in text.map({ $0.isNewline ? " " : $0 }) {
            if word.utf8.count + letter.utf8.count > 42, !word.isEmpty {
                words.append(word)
                word = ""
            }
            word.append(letter)
        }
        words.append(word)
        return words.map { "=?utf-8?B?\(Base64.encode(Array($0.utf8)))?=" }.joined(separator: "\r\n ")
    }
}

/// The sender: a name, which may be empty, and an address.
public struct MailSender: Hashable, Sendable {
    /// The address, in ASCII.
    public let address: String
    private let name: String

    /// A sender from `Compass <noreply@example.org>`, or from the address alone; `nil` for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: "<", maxSplits: 1, omittingEmptySubsequences: false)
        let isNamed = parts.count == 2
        if isNamed, !text.hasSuffix(">") { return nil }
        address = isNamed ? String(parts[1].dropLast()) : text
        name = isNamed ? String(parts[0].split(separator: " ").joined(separator: " ")) : ""
        let sides = address.split(separator: "@", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ !$0.isEmpty }),
            address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"<>\"(),:;\\".utf8.contains($0) }),
            !name.contains(where: \.isNewline)
        else { return nil }
    }

    /// Name and address, ready to send: words that are not ASCII are encoded.
    package var header: String {
        guard !name.isEmpty else { return "<\(address)>" }
        return "\(MailMessage.encoded(name, plain: " -'")) <\(address)>"
    }
}
