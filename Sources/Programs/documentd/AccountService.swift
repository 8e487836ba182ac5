import Console
import Daemon
import DocumentAPI
import Documents
import HTTPServing
import Library
import Linux
import Logging
import MatchStore
import Media
import People
import PersonalData
import SignIn
import Supabase

/// Where people sign up and in: their accounts, and the keys of their tokens.
struct AccountService {
    private let desk: AccountDesk
    private let tokens: AccessTokens
    private let providers: ProviderList?
    /// One thread per processor, because a password's digest takes 64 MiB.
    private let passwords = BlockingPool(
        threadCount: Process.processorCount, queueLength: 256, threadsOfParty: Process.processorCount)

    /// Opens the accounts, and creates what is missing.
    ///
    /// - Parameters:
    /// - database: the database that has the documents.
    /// - keys: the service's keys, which make tokens and cookies.
    init(
        _ settings: ServiceSettings, _ database: SharedDatabase, _ keys: KeyRing, _ logger: Logger
    ) throws(Failure) {
        desk = try Self.desk(database, secrets: keys.secrets, post: AccountLetters(settings, logger))
        providers = try ProviderList(settings, logger)
        let made = Promise<AccessTokens?>()
        let signingKeys = keys.signingKeys
        Task { made.fulfil(try? await AccessTokens(signingKeys)) }
        guard let tokens = made.wait() else {
            throw Failure(.unavailable, message: "The access token keys in the database are damaged.")
        }
        self.tokens = tokens
    }

    /// Only the desk, for the operator's commands.
    static func desk(
        _ database: SharedDatabase, secrets: Secrets, post: AccountLetters? = nil
    ) throws(Failure) -> AccountDesk {
        do {
            return try AccountDesk(AccountStore(try database.opened(makes: true)), secrets: secrets, post: post)
        } catch {
            throw Failure(.unavailable, message: "Accounts are unavailable.", detail: "\(error)")
        }
    }

    /// Identifies persons by their tokens.
    func authenticator(_ work: BlockingPool) -> AccountAuthenticator {
        let store = desk.store
        return AccountAuthenticator(
            tokens, desk, session: { id in try await work.run { try store.session(id) } },
            standing: { guardian, athlete in try await work.run { try store.standing(of: guardian, for: athlete) } })
    }

    /// Whether a person may change an owner's data now.
    var mayChange: DocumentLibrary.PermissionCheck {
        let store = desk.store
        return { actor, owner throws(DocumentError) in
            do throws(AccountError) {
                return try store.standing(of: actor, for: owner)?.right == .manage
            } catch {
                throw .unavailable(detail: "\(error)")
            }
        }
    }

    /// Signs people in with providers; `nil` if the settings name none.
    func elsewhere(_ work: BlockingPool) -> SignInElsewhere? { providers?.signIn(desk, work) }

    /// The accounts, for browsers that sign in to them.
    ///
    /// - Parameter archive: makes the archive of a person's data.
    func browsers(
        _ work: BlockingPool, _ elsewhere: SignInElsewhere?,
        archive: @escaping @Sendable (Account, AccountDesk) -> AccountArchive
    ) -> BrowserAccounts {
        BrowserAccounts(
            desk, authenticator: authenticator(work), passwords: passwords, elsewhere: elsewhere, archive: archive)
    }

    /// Ends this service's own threads.
    func stop() async {
        await passwords.stop()
        await providers?.stop()
    }

    /// Starts to remove persons who have asked for their removal.
    func startRemovals(
        _ library: DocumentLibrary, _ searches: SearchDesk, _ stores: Stores, _ logger: Logger
    ) throws(Failure) -> RemovalWatch {
        let removal = stores.removal(desk.store, library, searches)
        do throws(SystemError) {
            return try RemovalWatch(
                removal, now: { Instant(microseconds: Time.wall / 1000) }, warn: { logger.warning("\($0)") })
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
    }

    /// The face of the accounts.
    ///
    /// - Parameter api: gives sessions to browsers that return from a provider.
    func wire(
        _ work: BlockingPool, audit: AuditLog?, meter: RequestMeter?, elsewhere: SignInElsewhere?, api: DocumentAPI
    ) -> AuthWire {
        AuthWire(
            desk, tokens, authenticator: authenticator(work), work: work, passwords: passwords, audit: audit,
            meter: meter, elsewhere: elsewhere,
            giving: { grant, address, headers in
                await api.field(giving: grant, toBrowserAt: address, headers)
            })
    }
}
