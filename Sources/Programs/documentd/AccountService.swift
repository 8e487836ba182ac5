import Access
import AccountDatabase
import Accounts
import Audit
import AuthWire
import Console
import DocumentAPI
import HTTPServing
import Linux
import Logging
import Media
import Settings

/// The accounts of the service, with their keys in the data folder.
struct AccountService {
    private let desk: AccountDesk
    private let tokens: AccessTokens
    /// One thread for each processor, as a password's digest takes 64 MiB.
    let passwords = BlockingPool(threadCount: Process.processorCount, queueLength: 64)

    /// Opens the accounts, and makes what is missing.
    ///
    /// - Parameter secrets: the service's secrets, from which those of refresh tokens and cookies are made.
    init(_ settings: ServiceSettings, secrets: Secrets, _ logger: Logger) throws(Failure) {
        let keys = try SigningKeyFile(inFolder: settings.dataPath).keys(logger)
        desk = try Self.desk(settings, secrets: secrets, post: AccountLetters(settings, logger))
        let made = Promise<AccessTokens?>()
        Task { made.fulfil(try? await AccessTokens(keys)) }
        guard let tokens = made.wait() else {
            throw Failure(.unavailable, message: "The file tokens.pem in \(settings.dataPath) is damaged.")
        }
        self.tokens = tokens
    }

    /// The desk alone, as the operator's commands need it.
    static func desk(
        _ settings: ServiceSettings, secrets: Secrets, post: AccountLetters? = nil
    ) throws(Failure) -> AccountDesk {
        do throws(AccountError) {
            return try AccountDesk(SQLiteAccountStore(path: settings.databasePath), secrets: secrets, post: post)
        } catch {
            throw Failure(.unavailable, message: "The accounts cannot be used.", detail: "\(error)")
        }
    }

    /// Knows persons by their tokens.
    func identifying(_ work: BlockingPool) -> AccountIdentifying {
        let store = desk.store
        return AccountIdentifying(tokens, desk) { id in try await work.run { try store.session(id) } }
    }

    /// The accounts as browsers sign in to them.
    func browsers(_ work: BlockingPool) -> BrowserAccounts {
        BrowserAccounts(desk, identifying: identifying(work), passwords: passwords)
    }

    /// The face of the accounts.
    func wire(_ work: BlockingPool, audit: AuditLog?, meter: RequestMeter?) -> AuthWire {
        AuthWire(
            desk, tokens, identifying: identifying(work), work: work, passwords: passwords, audit: audit,
            meter: meter)
    }
}
