import Console
import Daemon
import DocumentAPI
import HTTPServing
import Library
import Logging
import Media
import People
import PersonalData
import SignIn

/// How people are identified, by the setting `auth`.
enum PeopleService {
    /// Everyone is the one local person.
    case localPerson
    /// People sign in to accounts of the service.
    case accounts(AccountService)
    /// People have tokens that are issued elsewhere.
    case tokens(TokenService)

    /// - Parameters:
    /// - database: the service's database.
    ///   - keys: the service's keys.
    init(
        _ settings: ServiceSettings, _ database: SharedDatabase, _ keys: KeyRing, _ logger: Logger
    ) throws(Failure) {
        switch settings.authentication {
        case .off: self = .localPerson
        case .local: self = .accounts(try AccountService(settings, database, keys, logger))
        case .tokens: self = .tokens(try TokenService(settings, logger))
        }
    }

    /// Where people sign up and in; `nil` for a service without accounts.
    var accounts: AccountService? {
        if case .accounts(let accounts) = self { accounts } else { nil }
    }

    /// Whether a person may change an owner's data now. Without accounts, persons change only their own data.
    var mayChange: DocumentLibrary.PermissionCheck {
        if let accounts { return accounts.mayChange }
        return DocumentLibrary.onlyOwn
    }

    /// Whether everyone who reaches the service is the same person.
    var isLocalPerson: Bool {
        if case .localPerson = self { true } else { false }
    }

    /// How browsers learn who they are.
    ///
    /// - Parameter archive: makes the archive of a person's data.
    func signingIn(
        _ work: BlockingPool, _ elsewhere: SignInElsewhere?,
        archive: @escaping @Sendable (Account, AccountDesk) -> AccountArchive
    ) -> SigningIn {
        switch self {
        case .localPerson: .off
        case .accounts(let accounts): .here(accounts.browsers(work, elsewhere, archive: archive))
        case .tokens(let tokens): .elsewhere(tokens.authenticator)
        }
    }

    /// Why nobody can be identified now.
    var notReadyReasons: [String] {
        if case .tokens(let tokens) = self { [tokens.hindrance].compactMap(\.self) } else { [] }
    }

    /// Ends the work in the background.
    func stop() {
        if case .tokens(let tokens) = self { tokens.stop() }
    }
}
