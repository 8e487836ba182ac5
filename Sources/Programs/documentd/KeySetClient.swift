import Foundation
import FoundationNetworking
import Synchronization

/// Fetches one small file over HTTP by Foundation's client, which is libcurl: within ten seconds, without cookies or cache.
///
/// No redirection is followed, as it could lead from https to http: the address in the settings is the one that counts.
final class KeySetClient: NSObject, URLSessionDataDelegate {
    /// Why there is no file.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private static let timeLimit = 10.0
    private static let mostByteCount = 256 << 10

    private struct State {
        var bytes: [UInt8] = []
        var fault: Fault?
        var continuation: CheckedContinuation<[UInt8], any Error>?
    }

    private let state = Mutex(State())

    private override init() {}

    /// The body of the answer to a GET.
    ///
    /// - Throws: `Fault`.
    static func fetch(_ address: URL) async throws -> [UInt8] {
        let settings = URLSessionConfiguration.ephemeral
        // Between two bytes; the whole has a limit of its own below.
        settings.timeoutIntervalForRequest = 2 * timeLimit
        settings.httpShouldSetCookies = false
        settings.urlCache = nil
        let client = KeySetClient()
        let session = URLSession(configuration: settings, delegate: client, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        var request = URLRequest(url: address, cachePolicy: .reloadIgnoringLocalCacheData)
        request.setValue("application/jwk-set+json, application/json", forHTTPHeaderField: "Accept")
        let task = session.dataTask(with: request)
        let deadline = Task {
            try await Task.sleep(for: .seconds(timeLimit))
            client.state.withLock { $0.fault = Fault(description: "no whole answer came within ten seconds") }
            task.cancel()
        }
        defer { deadline.cancel() }
        return try await withCheckedThrowingContinuation { continuation in
            client.state.withLock { $0.continuation = continuation }
            task.resume()
        }
    }

    /// Refuses redirections.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(nil) }

    /// Lets the body of a good answer come.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if status != 200 { state.withLock { $0.fault = Fault(description: "the answer has the status \(status)") } }
        completionHandler(status == 200 ? .allow : .cancel)
    }

    /// Collects the body, up to the bound.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = state.withLock { state in
            state.bytes += data
            guard state.bytes.count > Self.mostByteCount else { return false }
            state.fault = Fault(description: "the answer is over 256 KiB")
            return true
        }
        if isTooLong { dataTask.cancel() }
    }

    /// Hands over what came of it.
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (continuation, result) = state.withLock { state in
            defer { state.continuation = nil }
            let fault = state.fault ?? error.map { Fault(description: $0.localizedDescription) }
            let bytes = state.bytes
            return (state.continuation, fault.map { Result<[UInt8], any Error>.failure($0) } ?? .success(bytes))
        }
        continuation?.resume(with: result)
    }
}
