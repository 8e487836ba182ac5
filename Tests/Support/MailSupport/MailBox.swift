import Foundation
import TestSupport

/// A real SMTP server on loopback (`Tests/People/mail/server.py`), and the mails that it received.
public final class MailBox {
    private let process = Process()
    /// The folder of the mails.
    public let folder = TemporaryFolder.make("mail")
    /// The port on which the server listens.
    public let port: Int

    /// A mail as the server received it.
    public struct Mail: Sendable {
        /// Headers by lower-case name; `x-rcpt` and `x-from` are those of the envelope.
        public let headers: [String: String]
        /// The text after decoding the transfer encoding.
        public let body: String
    }

    /// A server without TLS and users, unless the script's arguments say otherwise.
    public init(_ arguments: [String] = []) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments =
            ["-B", "\(Checkout.folder)/Tests/People/mail/server.py", folder] + arguments
        try process.run()
        let end = Date().addingTimeInterval(30)
        while !FileManager.default.fileExists(atPath: "\(folder)/port"), Date() < end { usleep(20_000) }
        port = Int(try String(contentsOfFile: "\(folder)/port", encoding: .utf8)) ?? 0
    }

    /// The mail with a number, from 1; `nil` if none comes in time.
    public func mail(_ number: Int, within seconds: Double = 20) throws -> Mail? {
        let path = "\(folder)/\(number).eml"
        let end = Date().addingTimeInterval(seconds)
        while !FileManager.default.fileExists(atPath: path) {
            guard Date() < end else { return nil }
            usleep(20_000)
        }
        let text = try String(contentsOfFile: path, encoding: .utf8).replacingOccurrences(of: "\r\n", with: "\n")
        let parts = text.components(separatedBy: "\n\n")
        var headers: [String: String] = [:]
        for line in parts[0].replacingOccurrences(of: "\n ", with: " ").components(separatedBy: "\n") {
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            let value = line[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
            headers[line[..<colon].lowercased()] = value
        }
        let coded = parts.dropFirst().joined().replacingOccurrences(of: "\n", with: "")
        return Mail(headers: headers, body: String(decoding: Data(base64Encoded: coded) ?? Data(), as: UTF8.self))
    }

    /// Ends the server, and removes the mails.
    public func remove() {
        // Other signals may be blocked in this process, and therefore in its child processes.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }
}

extension MailBox.Mail {
    /// The text after `#` in the mail's link to a page.
    public func token(for page: String) -> String? {
        body.components(separatedBy: "/\(page)#").dropFirst().first?.components(separatedBy: .whitespacesAndNewlines)
            .first
    }
}
