import ArgumentParser
import Console
import Daemon
import Linux
import Media
import People

/// The accounts as the operator's commands see them.
struct AccountBook {
    let desk: AccountDesk

    /// Opens the accounts that the settings name.
    init(_ options: DocumentdOptions) throws {
        let settings = try options.resolve().service
        PrivateFolders.make(settings.dataPath)
        let database = try SharedDatabase(settings)
        let keys = try ServiceKeys.store(settings, database)
        let secrets: Secrets
        do { secrets = try keys.secrets() } catch { throw ServiceKeys.unusable(error) }
        desk = try AccountService.desk(database, secrets: secrets)
    }

    /// All accounts, by address.
    func accounts() throws(Failure) -> [Account] {
        try Self.mapErrors("") { () throws(AccountError) in try desk.store.accounts() }
    }

    /// The persons who are being deleted, with all their data.
    func removedPersons() throws(Failure) -> [ID<Person>] {
        try Self.mapErrors("") { () throws(AccountError) in
            try desk.store.requestedRemovals(before: Instant(microseconds: .max))
        }
    }

    /// The account with an address or an identity.
    func account(_ name: String) throws(Failure) -> Account {
        try Self.mapErrors(name) { () throws(AccountError) in
            if let id = ID<Person>(name) { return try desk.account(id) }
            guard let address = MailAddress(name), let found = try desk.store.account(at: address) else {
                throw .notFound
            }
            return found.account
        }
    }

    /// Disables or enables a person's account.
    func setDisabled(_ isDisabled: Bool, _ name: String) throws(Failure) {
        let id = try account(name).id
        try Self.mapErrors(name) { () throws(AccountError) in try desk.store.setDisabled(isDisabled, for: id) }
    }

    /// Runs a call, and words its errors for the operator.
    static func mapErrors<Value>(_ name: String, _ body: () throws(AccountError) -> Value) throws(Failure) -> Value {
        do throws(AccountError) {
            return try body()
        } catch {
            switch error {
            case .badAddress: throw Failure(.usage, message: "“\(name)” is not a valid email address for an account.")
            case .badPassword(let fault): throw Failure(.usage, message: fault.message)
            case .taken: throw Failure(.usage, message: "An account with the address \(name) already exists.")
            case .beingRemoved:
                throw Failure(.usage, message: "The account \(name) is being deleted and cannot be enabled again.")
            case .notFound: throw Failure(.usage, message: "The account \(name) does not exist.")
            default: throw Failure(.unavailable, message: "Accounts are unavailable.", detail: "\(error)")
            }
        }
    }
}

/// The source of a new password for a command.
struct PasswordSource: ParsableArguments {
    @Flag(name: .customLong("password-stdin"), help: "Read the password from the first line of standard input.")
    var isFromInput = false

    /// The password, and whether it was generated here.
    func read() throws -> (text: String, isMade: Bool) {
        if isFromInput {
            guard let line = readLine(strippingNewline: true) else {
                throw Failure(.usage, message: "Standard input contains no password.")
            }
            return (line, false)
        }
        var random = SystemRandomNumberGenerator()
        // Twenty letters and digits that cannot be mistaken for each other: 100 bits.
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        return (String((0..<20).map { _ in letters.randomElement(using: &random)! }), true)
    }
}
