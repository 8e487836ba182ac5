import Console
import Daemon
import KeyDatabase
import Logging
import Media
import Settings

/// The service's keys: in its database, sealed under one secret that all its hosts have.
enum ServiceKeys {
    /// The variable of the environment that has the secret.
    private static let variable = "COMPASS_SECRET"

    /// The keys in the database.
    ///
    /// - Throws: `usage` for a secret that is none; `unavailable`.
    static func store(_ settings: ServiceSettings, _ database: SharedDatabase) throws(Failure) -> SQLKeyStore {
        let seal = try seal(settings.dataPath)
        do { return try SQLKeyStore(try database.opened(makes: true), sealedBy: seal) } catch { throw unusable(error) }
    }

    /// The keys of a service that runs.
    static func ring(
        _ settings: ServiceSettings, _ database: SharedDatabase, _ logger: Logger
    ) throws(Failure) -> KeyRing {
        let store = try store(settings, database)
        do { return try KeyRing(store) { logger.error("\($0)") } } catch { throw unusable(error) }
    }

    /// `unavailable` for any error of the keys.
    static func unusable(_ error: any Error) -> Failure {
        Failure(.unavailable, message: "The service's keys cannot be used.", detail: "\(error)")
    }

    /// The secret of the environment, else that of the data folder, where one is made if there is none.
    private static func seal(_ folder: String) throws(Failure) -> KeySeal {
        if let text = Process.environment[variable] {
            if let seal = KeySeal(text) { return seal }
            throw Failure(.usage, message: "\(variable) takes 64 hexadecimal digits, as openssl rand -hex 32 prints.")
        }
        PrivateFolders.make(folder)
        let file = PrivateFile(path: "\(folder)/secret.key")
        if try file.read() == nil { try file.make(Array("\(KeySeal.makeText())\n".utf8)) }
        let text = String(decoding: try file.read() ?? [], as: UTF8.self)
        if text.last == "\n", let seal = KeySeal(String(text.dropLast())) { return seal }
        throw Failure(
            .unavailable, message: "The file \(file.path) is damaged: it has one line of 64 hexadecimal digits.")
    }
}
