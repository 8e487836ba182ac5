internal import CCurl
internal import Linux

/// A handle of libcurl, which keeps its connections open between requests. One thread at a time uses it.
final class Transfer: @unchecked Sendable {
    // Safe as Sendable: `TransferPool` lends it to one thread at a time.
    private let handle: UnsafeMutableRawPointer
    private static let library: Void = { curl_global_init(Int(CURL_GLOBAL_ALL)) }()

    /// `nil` if there is no memory.
    init?() {
        _ = Self.library
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
    }

    deinit { curl_easy_cleanup(handle) }

    /// One exchange that libcurl performs.
    struct Exchange {
        var method: String
        var address: String
        /// Lines `Name: value`; `Name:` stops libcurl from sending its own field.
        var fields: [String]
        var body: UnsafeRawBufferPointer?
        /// The maximum size of a successful answer in bytes; for other answers, it is 64 KiB.
        var limit: Int
    }

    /// Collects the answer, up to its limits.
    private final class Receiver {
        var status = 0
        var headers: [String: String] = [:]
        var body: [UInt8] = []
        private var fieldByteCount = 0
        private let limit: Int

        init(limit: Int) { self.limit = limit }

        /// Takes a line of the header; `false` beyond the limit. A status line begins a new answer: the previous one
        /// was interim (RFC 9110, 15.2).
        func pass(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
            fieldByteCount += line.count
            guard fieldByteCount <= 64 << 10 else { return false }
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix("HTTP/") {
                let words = text.split(separator: " ")
                status = words.count > 1 ? Int(words[1].prefix { $0.isNumber }) ?? 0 : 0
                headers = [:]
            } else if let colon = text.firstIndex(of: ":") {
                headers[text[..<colon].lowercased()] = Self.trimmed(text[text.index(after: colon)...])
            }
            return true
        }

        func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            guard body.count + bytes.count <= ((200..<300).contains(status) ? limit : 64 << 10) else { return false }
            if body.isEmpty, let count = headers["content-length"].flatMap({ Int($0) }), (0...limit).contains(count) {
                body.reserveCapacity(count)
            }
            body.append(contentsOf: bytes)
            return true
        }

        private static func trimmed(_ text: Substring) -> String {
            String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        }
    }

    /// Performs an exchange, and blocks until its end. It follows no redirection.
    ///
    /// - Parameter authorities: the file of trusted certificate authorities; `nil` for the system's.
    func perform(
        _ exchange: Exchange, isSecure: Bool, _ patience: S3Patience, authorities: String?
    ) throws(S3Fault) -> S3Answer {
        curl_easy_reset(handle)
        let receiver = Receiver(limit: exchange.limit)
        var list: UnsafeMutablePointer<curl_slist>?
        for field in exchange.fields { list = curl_slist_append(list, field) }
        defer { curl_slist_free_all(list) }
        var reason = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        set(exchange, isSecure, patience, authorities)
        ccurl_set_list(handle, CURLOPT_HTTPHEADER, list)
        // The receiver outlives the call that uses its pointer.
        let result = withExtendedLifetime(receiver) {
            reason.withUnsafeMutableBufferPointer { reason -> CURLcode in
                receive(into: Unmanaged.passUnretained(receiver).toOpaque())
                ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, reason.baseAddress)
                defer { ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, nil) }
                return curl_easy_perform(handle)
            }
        }
        let answer = S3Answer(status: receiver.status, headers: receiver.headers, body: receiver.body)
        if result == CURLE_OK { return answer }
        // A refusal that arrived before the whole body was sent says more than the connection's end.
        if receiver.status >= 400, result == CURLE_SEND_ERROR || result == CURLE_RECV_ERROR { return answer }
        let told = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let detail = told.isEmpty ? String(cString: curl_easy_strerror(result)) : told
        // A store whose answer is too slow or breaks off is not silent. With TLS of newer versions of OpenSSL, and
        // after a reset connection, libcurl reports an early end as a receive error.
        let isCut = result == CURLE_OPERATION_TIMEDOUT || result == CURLE_RECV_ERROR
        if receiver.status != 0, isCut { throw .truncated(detail) }
        throw Self.fault(result, detail)
    }

    private func set(_ exchange: Exchange, _ isSecure: Bool, _ patience: S3Patience, _ authorities: String?) {
        ccurl_set_text(handle, CURLOPT_URL, exchange.address)
        ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, isSecure ? "https" : "http")
        // Local traffic uses plain HTTP, and must not leave this machine, whatever proxy the environment names.
        if !isSecure { ccurl_set_text(handle, CURLOPT_PROXY, "") }
        if let authorities { ccurl_set_text(handle, CURLOPT_CAINFO, authorities) }
        ccurl_set_number(handle, CURLOPT_PATH_AS_IS, 1)
        ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        ccurl_set_number(handle, CURLOPT_TCP_KEEPALIVE, 1)
        ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(patience.connecting.milliseconds))
        ccurl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, patience.leastSpeed)
        ccurl_set_number(handle, CURLOPT_LOW_SPEED_TIME, max(1, Int(patience.stalling.milliseconds / 1000)))
        // Zero would mean no limit.
        ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, max(1, Int(patience.whole.milliseconds)))
        ccurl_set_number(handle, CURLOPT_BUFFERSIZE, 256 << 10)
        ccurl_set_number(handle, CURLOPT_UPLOAD_BUFFERSIZE, 512 << 10)
        switch exchange.method {
        case "GET": ccurl_set_number(handle, CURLOPT_HTTPGET, 1)
        case "HEAD": ccurl_set_number(handle, CURLOPT_NOBODY, 1)
        default:
            ccurl_set_number(handle, CURLOPT_POST, 1)
            ccurl_set_number(handle, CURLOPT_POSTFIELDSIZE, exchange.body?.count ?? 0)
            if let start = exchange.body?.baseAddress {
                // Sent without a copy; the caller keeps the memory valid.
                ccurl_set_pointer(handle, CURLOPT_POSTFIELDS, UnsafeMutableRawPointer(mutating: start))
            } else {
                ccurl_set_text(handle, CURLOPT_COPYPOSTFIELDS, "")
            }
            ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, exchange.method)
        }
    }

    private func receive(into context: UnsafeMutableRawPointer) {
        ccurl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Transfer.pass(bytes, size * count, context) { $0.take($1) }
        }
        ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        ccurl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            Transfer.pass(bytes, size * count, context) { $0.pass($1) }
        }
        ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
    }

    private static func pass(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        to body: (Receiver, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Int {
        guard let bytes, let context else { return 0 }
        let receiver = Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue()
        let isTaken = bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
            body(receiver, UnsafeBufferPointer(start: $0, count: count))
        }
        return isTaken ? count : 0
    }

    private static func fault(_ code: CURLcode, _ detail: String) -> S3Fault {
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR: .untrusted(detail)
        case CURLE_PARTIAL_FILE: .truncated(detail)
        case CURLE_WRITE_ERROR: .refused("the answer is longer than it can be")
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .refused(detail)
        default: .away(detail)
        }
    }
}
