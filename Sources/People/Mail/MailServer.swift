internal import CCurl
internal import Glibc

/// A server that takes mail by SMTP (RFC 5321), through libcurl.
public struct MailServer: Sendable {
    private let url: String
    private let user: String?
    private let password: String?
    private let isLocal: Bool

    /// Time limit of one mail, in seconds.
    private static let patience = 60
    private static let library: Void = { curl_global_init(Int(CURL_GLOBAL_ALL)) }()

    /// A server at an address.
    ///
    /// - Parameters:
    ///   - address: `smtp://mail.example.org:587`, which must then offer STARTTLS unless it is this machine, or
    ///     `smtps://mail.example.org:465`; with `user@` before the host if the server requires a login.
    ///   - password: the user's password.
    /// - Returns: `nil` for any other address, and for a user without a password or the reverse.
    public init?(_ address: String, password: String?) {
        guard let parts = MailServerAddress(address), (parts.user == nil) == (password == nil) else { return nil }
        url = "\(parts.scheme)://\(parts.host)\(parts.port.map { ":\($0)" } ?? "")"
        user = parts.user
        self.password = password
        isLocal = parts.isLocal
    }

    /// Hands a mail over to the server, which takes responsibility for it. Blocks.
    ///
    /// - Throws: `MailError`, whose detail names no recipient.
    public func send(_ message: MailMessage, from sender: MailSender, at time: Int64) throws(MailError) {
        _ = Self.library
        guard let transfer = curl_easy_init() else { throw MailError(detail: "no memory for a connection") }
        defer { curl_easy_cleanup(transfer) }
        var reason = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        var text = message.text(from: sender, at: time)
        let recipients = curl_slist_append(nil, message.recipient)
        defer { curl_slist_free_all(recipients) }
        let result = text.withUnsafeMutableBytes { text -> CURLcode in
            guard let file = fmemopen(text.baseAddress, text.count, "r") else { return CURLE_OUT_OF_MEMORY }
            defer { fclose(file) }
            return reason.withUnsafeMutableBufferPointer { reason in
                ccurl_set_text(transfer, CURLOPT_URL, url)
                ccurl_set_text(transfer, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
                // Otherwise an environment variable could send the mail through a proxy.
                ccurl_set_text(transfer, CURLOPT_PROXY, "")
                ccurl_set_number(transfer, CURLOPT_USE_SSL, isLocal ? ccurl_tls_optional : ccurl_tls_required)
                ccurl_set_number(transfer, CURLOPT_TIMEOUT, Self.patience)
                ccurl_set_number(transfer, CURLOPT_CONNECTTIMEOUT, 20)
                ccurl_set_number(transfer, CURLOPT_NOSIGNAL, 1)
                ccurl_set_number(transfer, CURLOPT_UPLOAD, 1)
                if let user, let password {
                    ccurl_set_text(transfer, CURLOPT_USERNAME, user)
                    ccurl_set_text(transfer, CURLOPT_PASSWORD, password)
                }
                ccurl_set_text(transfer, CURLOPT_MAIL_FROM, "<\(sender.address)>")
                ccurl_set_list(transfer, CURLOPT_MAIL_RCPT, recipients)
                ccurl_set_pointer(transfer, CURLOPT_READDATA, file)
                ccurl_set_pointer(transfer, CURLOPT_ERRORBUFFER, reason.baseAddress)
                return curl_easy_perform(transfer)
            }
        }
        guard result != CURLE_OK else { return }
        let told = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let words = told.isEmpty ? String(cString: curl_easy_strerror(result)) : told
        let reply = ccurl_response_code(transfer)
        throw MailError(detail: reply >= 400 && !words.contains("\(reply)") ? "\(words), \(reply)" : words)
    }
}

/// Why a mail could not be handed over.
public struct MailError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line for the log.
    public let detail: String

    init(detail: String) { self.detail = detail.replacing("\n", with: " ") }

    /// The detail, after words that say what failed.
    public var description: String { "the mail server did not accept an email: \(detail)" }
}

/// The parts of a mail server's address.
struct MailServerAddress {
    let scheme: String
    let user: String?
    let host: String
    let port: Int?

    /// Whether the server is this machine, so that nobody can listen on the way.
    var isLocal: Bool { host == "localhost" || host == "[::1]" || host.hasPrefix("127.") }

    init?(_ text: String) {
        guard let scheme = ["smtp", "smtps"].first(where: { text.hasPrefix("\($0)://") }) else { return nil }
        self.scheme = scheme
        var rest = text.dropFirst(scheme.count + 3)
        if let at = rest.lastIndex(of: "@") {
            user = String(rest[..<at])
            rest = rest[rest.index(after: at)...]
            guard user?.isEmpty == false, user?.contains(":") == false else { return nil }
        } else {
            user = nil
        }
        let isBracketed = rest.hasPrefix("[")
        let end = isBracketed ? rest.firstIndex(of: "]").map { rest.index(after: $0) } : rest.firstIndex(of: ":")
        let host = rest[..<(end ?? rest.endIndex)]
        let allowed = isBracketed ? "[]:.%" : ".-"
        guard host.count > (isBracketed ? 2 : 0),
            host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || allowed.contains($0)) })
        else { return nil }
        self.host = String(host)
        let tail = rest[(end ?? rest.endIndex)...]
        if tail.isEmpty {
            port = nil
        } else {
            guard tail.hasPrefix(":"), let number = Int(tail.dropFirst()), (1...65_535).contains(number) else {
                return nil
            }
            port = number
        }
    }
}
