internal import Linux
internal import Media

/// Caches a provider's description and keys. They are fetched on first use, and again once they are old or a token
/// names another key. Requests that come meanwhile wait for the same answer.
actor ProviderMemory {
    /// Sends a request to a provider.
    typealias Sending = @Sendable (ProviderRequest) async throws(ProviderFault) -> ProviderAnswer

    struct Knowledge: Sendable {
        let description: ProviderDescription
        let keys: [TokenKey]
        /// By the monotonic clock.
        let asked: Duration
    }

    private let issuer: String
    private let sending: Sending
    private let clock: @Sendable () -> Duration
    private var known: Knowledge?
    private var fault: (ProviderFault, asked: Duration)?
    private var isAsking = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// How long an answer is valid before it is fetched again.
    static let freshTime = Duration.seconds(3600)
    /// How long it stays valid while the provider gives no other.
    static let longestTime = Duration.seconds(86_400)
    /// The pause after an answer, before an unknown key causes another request.
    static let keyPause = Duration.seconds(60)
    /// The pause after a failure.
    static let faultPause = Duration.seconds(5)

    init(_ issuer: String, clock: @escaping @Sendable () -> Duration, sending: @escaping Sending) {
        self.issuer = issuer
        self.clock = clock
        self.sending = sending
    }

    /// What is known of the provider.
    ///
    /// - Parameter isForKey: whether a token names a key that was not among the known ones.
    func knowledge(isForKey: Bool = false) async throws(ProviderFault) -> Knowledge {
        let fresh = isForKey ? Self.keyPause : Self.freshTime
        while true {
            if let known, clock() < known.asked + fresh { return known }
            if isAsking {
                await withCheckedContinuation { waiting.append($0) }
                if Task.isCancelled { break }
                // The caller that asked may have left before the answer came: then the next one asks.
                continue
            }
            guard fault.map({ clock() >= $0.asked + Self.faultPause }) ?? true else { break }
            isAsking = true
            await ask()
            isAsking = false
            let answered = waiting
            waiting = []
            for continuation in answered { continuation.resume() }
            break
        }
        if let known, clock() < known.asked + Self.longestTime { return known }
        throw fault?.0 ?? .away("the provider's settings have not been fetched yet")
    }

    private func ask() async {
        let now = clock()
        do throws(ProviderFault) {
            guard let address = ProviderDescription.address(of: issuer) else {
                throw .wrong("the issuer is not an address")
            }
            let description = try ProviderDescription(try await document(at: address), of: issuer)
            let set = try await document(at: description.keySet)
            do throws(TokenKeySet.Fault) {
                known = Knowledge(
                    description: description, keys: try await TokenKeySet.keys(in: set), asked: now)
            } catch {
                throw .wrong("the set of keys: \(error)")
            }
            fault = nil
        } catch {
            // A client that has left says nothing about the provider.
            if !Task.isCancelled { fault = (error, clock()) }
        }
    }

    private func document(at address: ProviderAddress) async throws(ProviderFault) -> [UInt8] {
        let answer = try await sending(ProviderRequest(address))
        guard answer.status == 200 else { throw .away("\(address.text) was answered with status \(answer.status)") }
        return answer.body
    }
}
