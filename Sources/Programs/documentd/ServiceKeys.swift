import CLinux
import Console
import Daemon
import Linux
import Logging
import Media
import People

/// The service's keys: in its database, sealed under one secret that all its hosts share.
enum ServiceKeys {
    /// The environment variable that has the secret.
    private static let variable = "COMPASS_SECRET"

    /// The keys in the database.
    ///
    /// - Throws: `usage` for an invalid secret; `unavailable`.
    ///
    /// - Parameter makesSecret: whether the data folder gets a new secret, even if there are keys under another one.
    static func store(
        _ settings: ServiceSettings, _ database: SharedDatabase, makesSecret: Bool = false
    ) throws(Failure) -> SQLKeyStore {
        do {
            let database = try database.opened(makes: true)
            if makesSecret { try removeSecret(settings.dataPath) }
            let makes = try makesSecret || !SQLKeyStore.hasKeys(database)
            return try SQLKeyStore(database, sealedBy: try seal(settings.dataPath, makes: makes))
        } catch {
            throw unusable(error)
        }
    }

    /// The keys of a running service.
    static func ring(
        _ settings: ServiceSettings, _ database: SharedDatabase, _ logger: Logger
    ) throws(Failure) -> KeyRing {
        let store = try store(settings, database)
        do {
            return try KeyRing(store) { trouble in
                if let trouble {
                    logger.error(
                        "the keys cannot be read: the old ones stay in use", metadata: ["reason": "\(trouble)"])
                } else {
                    logger.notice("the keys can be read again")
                }
            }
        } catch {
            throw unusable(error)
        }
    }

    /// `unavailable` for any error of the keys.
    static func unusable(_ error: any Error) -> Failure {
        error as? Failure ?? Failure(.unavailable, message: "The service's keys cannot be used.", detail: "\(error)")
    }

    private static func removeSecret(_ folder: String) throws(Failure) {
        guard Process.environment[variable] == nil else {
            throw Failure(.usage, message: "The secret is in \(variable): change it there, without --new-secret.")
        }
        let path = "\(folder)/secret.key"
        do throws(SystemError) {
            try checking("unlink") { unlink(path) }
        } catch {
            guard error.number == ENOENT else {
                throw Failure(.unavailable, message: "The file \(path) cannot be replaced.", detail: "\(error)")
            }
        }
    }

    /// The secret from the environment, else from the data folder.
    private static func seal(_ folder: String, makes: Bool) throws(Failure) -> KeySeal {
        if let text = Process.environment[variable] {
            if let seal = KeySeal(text) { return seal }
            throw Failure(.usage, message: "\(variable) must be 64 hexadecimal digits, as openssl rand -hex 32 prints.")
        }
        PrivateFolders.make(folder)
        let file = PrivateFile(path: "\(folder)/secret.key")
        if makes { try file.make(Array("\(KeySeal.makeText())\n".utf8)) }
        guard let bytes = try file.read() else {
            throw Failure(
                .unavailable,
                message: "The secret of the keys is missing: set \(variable), or put it into \(file.path). "
                    + "If it is lost, run documentd rotate-keys --end-older --new-secret")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        if let seal = KeySeal(text.last == "\n" ? String(text.dropLast()) : text) { return seal }
        throw Failure(
            .unavailable, message: "The file \(file.path) is damaged: it must be one line of 64 hexadecimal digits.")
    }
}
