import Foundation
import Mail
import MailSupport
import TestDeadline
import TestSupport
import Testing

@Suite("Mail goes to a real server", .serialized, .deadline)
struct MailServerTests {
    private static let message = MailMessage(
        to: "ada@example.org", subject: "Grüße, und mehr als eine Zeile davon, damit der Betreff gefaltet wird 🎽",
        body: "One line.\n.\nA dot alone, 端 and " + String(repeating: "long ", count: 400) + "\n")
    private static let sender = MailSender("Compass Media <noreply@example.org>")!

    @Test("A mail arrives as it was written, with the headers that servers want")
    func delivery() throws {
        let box = try MailBox()
        defer { box.remove() }
        let server = try #require(MailServer("smtp://127.0.0.1:\(box.port)", password: nil))
        try server.send(Self.message, from: Self.sender, at: 1_800_000_000)
        let mail = try #require(try box.mail(1))
        #expect(mail.body == Self.message.body.replacingOccurrences(of: "\n", with: "\r\n"))
        #expect(mail.headers["x-rcpt"] == "ada@example.org" && mail.headers["x-from"] == "noreply@example.org")
        #expect(mail.headers["from"] == "Compass Media <noreply@example.org>")
        #expect(mail.headers["to"] == "<ada@example.org>")
        #expect(mail.headers["date"] == "Fri, 15 Jan 2027 08:00:00 +0000")
        #expect(mail.headers["auto-submitted"] == "auto-generated")
        #expect(mail.headers["message-id"]?.hasSuffix("@example.org>") == true)
        let words = (mail.headers["subject"] ?? "").components(separatedBy: " ")
        let subject = words.map { word in
            String(decoding: Data(base64Encoded: String(word.dropFirst(10).dropLast(2))) ?? Data(), as: UTF8.self)
        }
        #expect(subject.joined() == Self.message.subject)
        #expect(words.count > 1 && words.allSatisfy { $0.count <= 75 })
    }

    @Test("A user's password goes by STARTTLS; a wrong one, and a certificate of nobody's, are errors without it")
    func authentication() throws {
        let folder = TemporaryFolder.make("certificate")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let make = Process()
        make.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        make.arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
            "-keyout", "\(folder)/key", "-out", "\(folder)/certificate",
        ]
        make.standardError = FileHandle.nullDevice
        try make.run()
        make.waitUntilExit()
        let box = try MailBox([
            "--user", "compass", "--password", "horse battery", "--tls", "\(folder)/certificate", "\(folder)/key",
        ])
        defer { box.remove() }
        // No authority vouches for the certificate.
        let server = try #require(MailServer("smtp://compass@localhost:\(box.port)", password: "horse battery"))
        #expect(throws: MailError.self) { try server.send(Self.message, from: Self.sender, at: 0) }
        #expect(try box.mail(1, within: 0.5) == nil)
        let open = try MailBox(["--user", "compass", "--password", "horse battery"])
        defer { open.remove() }
        let known = try #require(MailServer("smtp://compass@127.0.0.1:\(open.port)", password: "horse battery"))
        try known.send(Self.message, from: Self.sender, at: 0)
        #expect(try open.mail(1) != nil)
        let wrong = try #require(MailServer("smtp://compass@127.0.0.1:\(open.port)", password: "wrong horse"))
        do {
            try wrong.send(Self.message, from: Self.sender, at: 0)
            Issue.record("a wrong password was taken")
        } catch {
            #expect(!error.description.contains("horse") && !error.description.contains("ada@"))
        }
    }

    @Test("A server that refuses, or is not there, is an error that says so")
    func faults() throws {
        let box = try MailBox(["--refuse", "1"])
        let server = try #require(MailServer("smtp://127.0.0.1:\(box.port)", password: nil))
        do {
            try server.send(Self.message, from: Self.sender, at: 0)
            Issue.record("a refused mail counts as sent")
        } catch {
            #expect(error.description.contains("451"))
        }
        try server.send(Self.message, from: Self.sender, at: 0)
        #expect(try box.mail(1) != nil)
        box.remove()
        #expect(throws: MailError.self) { try server.send(Self.message, from: Self.sender, at: 0) }
    }

    @Test("A server that is not this machine must offer TLS")
    func privacy() throws {
        let box = try MailBox()
        defer { box.remove() }
        // An address of this machine, under a name that the rule does not recognise.
        let server = try #require(MailServer("smtp://0.0.0.0:\(box.port)", password: nil))
        #expect(throws: MailError.self) { try server.send(Self.message, from: Self.sender, at: 0) }
        #expect(try box.mail(1, within: 0.5) == nil)
    }
}

@Suite("Addresses of mail servers, senders and headers", .deadline)
struct MailTextTests {
    @Test(
        "An address has a scheme, perhaps a user, a host and a port",
        arguments: [
            ("smtp://mail.example.org", true), ("smtps://mail.example.org:465", true), ("smtp://[::1]:25", true),
            ("smtp://mail.example.org:587", true), ("http://mail.example.org", false), ("mail.example.org", false),
            ("smtp://", false), ("smtp://a b", false), ("smtp://mail.example.org:", false), ("smtp://host:0", false),
            ("smtp://host:70000", false), ("smtp://host/path", false), ("smtp://host\r\nQUIT", false),
        ])
    func addresses(text: String, isOne: Bool) {
        #expect((MailServer(text, password: nil) != nil) == isOne)
    }

    @Test("A user needs a password, and a password a user")
    func users() {
        #expect(MailServer("smtp://ada@host", password: "x") != nil)
        #expect(MailServer("smtp://ada@example.org@host", password: "x") != nil)
        #expect(MailServer("smtp://ada@host", password: nil) == nil)
        #expect(MailServer("smtp://host", password: "x") == nil)
        #expect(MailServer("smtp://ada:secret@host", password: "x") == nil)
    }

    @Test("A sender is an address, or a name and one")
    func senders() {
        #expect(MailSender("a@b.org")?.header == "<a@b.org>")
        #expect(MailSender("Compass  Media <a@b.org>")?.header == "Compass Media <a@b.org>")
        #expect(MailSender("Müller, A. <a@b.org>")?.header == "=?utf-8?B?TcO8bGxlciwgQS4=?= <a@b.org>")
        #expect(MailSender("\"A\" <a@b.org>")?.header == "=?utf-8?B?IkEi?= <a@b.org>")
        for wrong in ["", "a", "a@", "@b", "a@b <", "A <a@b", "a b@c", "A\r\nBcc: x <a@b>", "A <a@b>\r\nBcc: x"] {
            #expect(MailSender(wrong) == nil, "\(wrong)")
        }
    }

    @Test("A subject cannot begin another header")
    func subjects() {
        #expect(MailMessage.encoded("Set a new password") == "Set a new password")
        for text in ["a\r\nBcc: b@c", "=?utf-8?B?eA==?=", String(repeating: "long ", count: 30)] {
            let lines = MailMessage.encoded(text).components(separatedBy: "\r\n")
            #expect(lines.allSatisfy { !$0.contains("\n") && $0.count <= 76 })
            #expect(lines.allSatisfy { $0.trimmingCharacters(in: .whitespaces).hasPrefix("=?utf-8?B?") })
        }
    }
}
