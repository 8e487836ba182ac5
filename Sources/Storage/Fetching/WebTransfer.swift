internal import CCurl
internal import CLinux
internal import HTTPSyntax
internal import Linux
internal import Media

/// A libcurl connection to untrusted web servers. It uses only `https`, and is bounded in time and bytes. Without
/// `allowsPrivate`, it never connects to an address of this machine or its network.
final class WebTransfer {
    private let handle: UnsafeMutableRawPointer
    private let allowsPrivate: Bool
    private let authorities: String?
    private static let library: Void = { curl_global_init(Int(CURL_GLOBAL_ALL)) }()

    /// The time limit of a connection in milliseconds, including TLS.
    private static let connecting = 10_000
    /// The maximum time without a byte in seconds.
    private static let stalling = 15
    /// The time limit of one request in seconds. It stops a server that sends only an occasional byte.
    private static let whole = 60

    init(allowsPrivate: Bool, authorities: String?) throws(Failure) {
        _ = Self.library
        guard let handle = curl_easy_init() else { throw Failure(.unavailable, detail: "curl_easy_init") }
        self.handle = handle
        self.allowsPrivate = allowsPrivate
        self.authorities = authorities
    }

    deinit { curl_easy_cleanup(handle) }

    /// Collects the answer, up to its limits.
    private final class Receiver {
        var status = 0
        var headers: [String: String] = [:]
        var body: [UInt8] = []
        var isOverfull = false
        var refusedAddress: IPAddress?
        private var fieldByteCount = 0
        private let limit: Int64
        private let allowsPrivate: Bool

        init(limit: Int64, allowsPrivate: Bool) {
            self.limit = limit
            self.allowsPrivate = allowsPrivate
        }

        /// Takes a line of the header; `false` beyond the limit. A status line begins a new answer.
        func pass(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
            fieldByteCount += line.count
            guard fieldByteCount <= 64 << 10 else { return false }
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix("HTTP/") {
                let words = text.split(separator: " ")
                status = words.count > 1 ? Int(words[1].prefix { $0.isNumber }) ?? 0 : 0
                headers = [:]
            } else if let colon = text.firstIndex(of: ":") {
                let value = text[text.index(after: colon)...]
                headers[text[..<colon].lowercased()] = String(value.trimmingPrefix { $0.isWhitespace }.trimmingEnd)
            }
            return true
        }

        func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            // For anything but content, the status is enough.
            guard [200, 206].contains(status) else { return true }
            isOverfull = Int64(body.count + bytes.count) > limit
            if !isOverfull { body.append(contentsOf: bytes) }
            return !isOverfull
        }

        /// Opens a socket for an allowed address; -1 for others.
        func open(_ family: Int32, _ type: Int32, _ proto: Int32, _ address: IPAddress?) -> Int32 {
            guard let address, allowsPrivate || !address.isPrivate else {
                refusedAddress = address
                return -1
            }
            return socket(family, type | Int32(SOCK_CLOEXEC.rawValue), proto)
        }
    }

    /// Requests a range of a file. It follows no redirection.
    ///
    /// - Parameter limit: the maximum number of content bytes that are accepted.
    /// - Throws: `unavailable`, `tooLarge`, `usage`.
    func get(_ address: String, _ range: Range<Int64>, limit: Int64) throws(Failure) -> WebAnswer {
        let receiver = Receiver(limit: limit, allowsPrivate: allowsPrivate)
        var reason = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        set(address, range)
        // The receiver outlives the call that uses its pointers.
        var opening = ccurl_opening(open: Self.opener, context: Unmanaged.passUnretained(receiver).toOpaque())
        let result = withUnsafeMutablePointer(to: &opening) { opening in
            reason.withUnsafeMutableBufferPointer { reason -> CURLcode in
                defer { withExtendedLifetime(receiver) {} }
                receive(into: opening.pointee.context)
                ccurl_set_opening(handle, opening)
                ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, reason.baseAddress)
                defer { ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, nil) }
                return curl_easy_perform(handle)
            }
        }
        if result == CURLE_OK {
            return WebAnswer(status: receiver.status, headers: receiver.headers, body: receiver.body)
        }
        let told = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        throw failure(result, told.isEmpty ? String(cString: curl_easy_strerror(result)) : told, receiver)
    }

    private func set(_ address: String, _ range: Range<Int64>) {
        curl_easy_reset(handle)
        ccurl_set_text(handle, CURLOPT_URL, address)
        ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "https")
        // Behind a proxy, the contacted address cannot be checked.
        if !allowsPrivate { ccurl_set_text(handle, CURLOPT_PROXY, "") }
        if let authorities { ccurl_set_text(handle, CURLOPT_CAINFO, authorities) }
        ccurl_set_text(handle, CURLOPT_RANGE, "\(range.lowerBound)-\(range.upperBound - 1)")
        ccurl_set_text(handle, CURLOPT_USERAGENT, "compass-media")
        ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        ccurl_set_number(handle, CURLOPT_TCP_KEEPALIVE, 1)
        ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Self.connecting)
        ccurl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
        ccurl_set_number(handle, CURLOPT_LOW_SPEED_TIME, Self.stalling)
        ccurl_set_number(handle, CURLOPT_TIMEOUT, Self.whole)
        ccurl_set_number(handle, CURLOPT_BUFFERSIZE, 256 << 10)
    }

    private static let opener: ccurl_opener = { context, family, type, proto, bytes, count in
        let receiver = Unmanaged<Receiver>.fromOpaque(context!).takeUnretainedValue()
        let address = IPAddress(bytes: Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
        return receiver.open(family, type, proto, address)
    }

    private func receive(into context: UnsafeMutableRawPointer) {
        ccurl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            WebTransfer.pass(bytes, size * count, context) { $0.take($1) }
        }
        ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        ccurl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            WebTransfer.pass(bytes, size * count, context) { $0.pass($1) }
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

    private func failure(_ code: CURLcode, _ detail: String, _ receiver: Receiver) -> Failure {
        if let address = receiver.refusedAddress {
            return Failure(
                .usage,
                message:
                    "The address is in a private network, which is not allowed (setting allow-private-addresses).",
                detail: address.text)
        }
        if receiver.isOverfull {
            return receiver.status == 206
                ? Failure(
                    .unavailable, message: "The server sent other bytes than requested.", detail: "more bytes")
                : Failure(
                    .tooLarge,
                    message: "The server does not support ranges, and this file is too large to be read whole.")
        }
        return switch code {
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            Failure(.usage, message: "This is not a file's address. Use https://….", detail: detail)
        case CURLE_COULDNT_RESOLVE_HOST:
            Failure(.unavailable, message: "The server's name cannot be resolved. Check the address.", detail: detail)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            Failure(
                .unavailable,
                message:
                    "The server's certificate is not trusted. Name its authority's file in CURL_CA_BUNDLE.",
                detail: detail)
        case CURLE_OPERATION_TIMEDOUT:
            Failure(.timedOut, message: "The server is too slow. Try again later.", detail: detail)
        // With TLS of newer versions of OpenSSL, and after a reset connection, libcurl reports an answer's early end as
        // a receive error.
        case CURLE_PARTIAL_FILE,
            CURLE_RECV_ERROR where receiver.status != 0:
            Failure(.unavailable, message: "The server sent less than it announced. Try again later.", detail: detail)
        default: Failure(.unavailable, message: "The server cannot be reached. Try again later.", detail: detail)
        }
    }
}

extension StringProtocol {
    fileprivate var trimmingEnd: String { String(self.reversed().drop(while: \.isWhitespace).reversed()) }
}
