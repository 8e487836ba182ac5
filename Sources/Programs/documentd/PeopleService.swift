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

/// How people are known, by the setting `auth`.
enum PeopleService {
    /// One local person is everybody.
    case localPerson
    /// Persons sign in to accounts of the service.
    case accounts(AccountService)
    /// Persons have tokens that are issued elsewhere.
    case tokens(TokenService)

    /// - Parameters:
    ///   - database: where the service's database is.
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

    /// Where people sign up and in; `nil` for a service that keeps none.
    var accounts: AccountService? {
        if case .accounts(let accounts) = self { accounts } else { nil }
    }

    /// Whether a person may change an owner's things now. Without accounts persons change their own things alone.
    var mayChange: DocumentLibrary.PermissionCheck {
        if let accounts { return accounts.mayChange }
        return DocumentLibrary.onlyOwn
    }

    /// Whether everybody who reaches the service is the same person.
    var isLocalPerson: Bool {
        if case .localPerson = self { true } else { false }
    }

    /// How browsers get to know who they are.
    ///
    /// - Parameter archive: makes the archive of what is a person's.
    func signingIn(
        _ work: BlockingPool, _ elsewhere: SignInElsewhere?,
        archive: @escaping @Sendable (Account, AccountDesk) -> AccountArchive
    ) -> SigningIn {
        switch self {
        case .localPerson: .needless
        case .accounts(let accounts): .here(accounts.browsers(work, elsewhere, archive: archive))
        case .tokens(let tokens): .elsewhere(tokens.identifying)
        }
    }

    /// Why nobody can be known now.
    var hindrances: [String] {
        if case .tokens(let tokens) = self { [tokens.hindrance].compactMap(\.self) } else { [] }
    }

    /// Ends what goes on in the background.
    func stop() {
        if case .tokens(let tokens) = self { tokens.stop() }
    }
}
