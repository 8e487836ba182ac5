internal import Linux

/// Limits the letters that people cause: nobody who knows an address can flood its mailbox, or keep a letter from its
/// recipient.
///
/// Letters are counted by kind, so sign-ups with somebody's address do not block letters of a recovery. They are
/// counted by the network that asks, so strangers' requests do not block the person's own. Only letters of the same
/// kind that the person has just received can use up an address's limit over all networks. Their links work for an hour
/// or more, and the wait is at most five minutes.
/// minutes at most.
package final class LetterMeter: Sendable {
    /// What a letter is about.
    package enum Kind: String {
        /// An address has yet to be confirmed, or has an account already.
        case signUp
        /// A new password.
        case reset
        /// An athlete invites a guardian.
        case invitation
    }

    private let moment: @Sendable () -> Duration
    private let ofNetwork = FailureMeter(freeCount: 20)
    private let toAddressOfNetwork = FailureMeter(freeCount: 2)
    private let toAddress = FailureMeter(freeCount: 20)

    /// - Parameter moment: the monotonic clock.
    package init(moment: @escaping @Sendable () -> Duration = { Time.monotonic }) { self.moment = moment }

    /// Counts a letter that a network requests, for any address.
    ///
    /// - Throws: `tooManyAttempts`.
    package func count(_ kind: Kind, from network: String) throws(AccountError) {
        let (name, moment) = ("\(kind) \(network)", moment())
        if let wait = ofNetwork.wait(for: name, at: moment) { throw .tooManyAttempts(retryAfter: wait) }
        ofNetwork.fail(name, at: moment)
    }

    /// Whether another letter may go to an address now. If so, counts it.
    package func admits(_ kind: Kind, to address: MailAddress, from network: String) -> Bool {
        let moment = moment()
        let names = [
            (toAddressOfNetwork, "\(kind) \(address.text) \(network)"), (toAddress, "\(kind) \(address.text)"),
        ]
        guard names.allSatisfy({ meter, name in meter.wait(for: name, at: moment) == nil }) else { return false }
        for (meter, name) in names { meter.fail(name, at: moment) }
        return true
    }
}
