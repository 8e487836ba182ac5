internal import CCurl
internal import Media

/// A request to a provider over HTTP: a GET, or a form by POST.
public struct ProviderRequest: Hashable, Sendable {
    /// An address from the settings, or from a provider that they name.
    public let address: String
    /// Header fields such as `Accept: application/json`.
    public var fields: [String] = ["Accept: application/json"]
    /// Sent by POST as a form; `nil` for a GET.
    public var form: String?

    init(_ address: ProviderAddress) { self.address = address.text }

    /// A GET of an address that begins with `https://` or `http://`.
    ///
    /// - Parameter types: the media types of a valid answer.
    public init(getting address: String, types: String) {
        self.address = address
        fields = ["Accept: \(types)"]
    }
}

/// A complete response over HTTP.
public struct ProviderAnswer: Hashable, Sendable {
    /// By RFC 9110: 200 for success.
    public let status: Int
    /// At most 256 KiB.
    public let body: [UInt8]

    /// A response of these parts.
    public init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// Sends requests to providers by libcurl. Blocks for at most ten seconds.
///
/// No redirection is followed: it could lead from https to http, and disclose a secret or a code to somebody else.
public enum ProviderTransport {
    private static let library: Void = { curl_global_init(Int(CURL_GLOBAL_ALL)) }()
    private static let patience = 10
    /// The most bytes of a body, and of all header fields.
    private static let mostByteCount = 256 << 10

    /// Receives what comes, up to the limit.
    private final class Receiver {
        var bytes: [UInt8] = []
        var fieldByteCount = 0
        /// Whether more came than the limit.
        var isOverfull: Bool { bytes.count > mostByteCount || fieldByteCount > mostByteCount }

        /// Takes bytes of the body; `false` beyond the limit.
        func take(_ new: UnsafeBufferPointer<UInt8>) -> Bool {
            bytes += new
            return !isOverfull
        }

        /// Takes a header field; `false` beyond the limit.
        func pass(_ count: Int) -> Bool {
            fieldByteCount += count
            return !isOverfull
        }
    }

    /// Sends the request, and receives the whole answer.
    ///
    /// - Throws: `away` if there is no answer: no connection, an untrusted certificate, more than ten seconds or 256
    ///   KiB.
    public static func send(_ request: ProviderRequest) throws(ProviderFault) -> ProviderAnswer {
        _ = library
        guard let transfer = curl_easy_init() else { throw .away("no memory for a connection") }
        defer { curl_easy_cleanup(transfer) }
        let receiver = Receiver()
        var list: UnsafeMutablePointer<curl_slist>?
        for field in request.fields { list = curl_slist_append(list, field) }
        defer { curl_slist_free_all(list) }
        let isSecure = request.address.hasPrefix("https://")
        var reason = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        // The receiver outlives the call that uses its pointer.
        let result = withExtendedLifetime(receiver) {
            let place = Unmanaged.passUnretained(receiver).toOpaque()
            return reason.withUnsafeMutableBufferPointer { reason -> CURLcode in
                ccurl_set_text(transfer, CURLOPT_URL, request.address)
                ccurl_set_text(transfer, CURLOPT_PROTOCOLS_STR, isSecure ? "https" : "http")
                // A request to this machine does not leave it, even if the environment names a proxy.
                if !isSecure { ccurl_set_text(transfer, CURLOPT_PROXY, "") }
                ccurl_set_number(transfer, CURLOPT_TIMEOUT, patience)
                ccurl_set_number(transfer, CURLOPT_CONNECTTIMEOUT, 5)
                ccurl_set_number(transfer, CURLOPT_NOSIGNAL, 1)
                ccurl_set_text(transfer, CURLOPT_USERAGENT, "documentd")
                ccurl_set_list(transfer, CURLOPT_HTTPHEADER, list)
                if let form = request.form { ccurl_set_text(transfer, CURLOPT_COPYPOSTFIELDS, form) }
                ccurl_set_receiver(transfer, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                    guard let bytes, let context else { return 0 }
                    let receiver = Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue()
                    let isTaken = bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) {
                        receiver.take(UnsafeBufferPointer(start: $0, count: size * count))
                    }
                    return isTaken ? size * count : 0
                }
                ccurl_set_pointer(transfer, CURLOPT_WRITEDATA, place)
                ccurl_set_receiver(transfer, CURLOPT_HEADERFUNCTION) { _, size, count, context in
                    guard let context else { return 0 }
                    let receiver = Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue()
                    return receiver.pass(size * count) ? size * count : 0
                }
                ccurl_set_pointer(transfer, CURLOPT_HEADERDATA, place)
                ccurl_set_pointer(transfer, CURLOPT_ERRORBUFFER, reason.baseAddress)
                return curl_easy_perform(transfer)
            }
        }
        guard result == CURLE_OK else {
            if receiver.isOverfull { throw .away("the response is over 256 KiB") }
            if result == CURLE_OPERATION_TIMEDOUT { throw .away("timed out: no complete response within ten seconds") }
            let told = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw .away(told.isEmpty ? String(cString: curl_easy_strerror(result)) : told)
        }
        return ProviderAnswer(status: ccurl_response_code(transfer), body: receiver.bytes)
    }
}
