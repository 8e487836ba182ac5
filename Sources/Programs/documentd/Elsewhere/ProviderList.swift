import Console
import HTTPServing
import HTTPSyntax
import Linux
import Logging
import Media
import People
import SignIn

/// The providers with which people may sign in, from the file that the settings name.
struct ProviderList {
    private let providers: [OpenIDProvider]
    private let address: String
    private let origins: AllowedOrigins
    private let redirects: RedirectAddresses
    private let logger: Logger
    /// Requests to providers, which may take ten seconds each: few at once, and few that wait.
    private let requests = BlockingPool(threadCount: 4, queueLength: 64)

    /// Reads the file; `nil` if the settings name none. No provider is contacted yet.
    ///
    /// - Throws: `usage` if the list or the public address is invalid, `unavailable` if a file cannot be read.
    init?(_ settings: ServiceSettings, _ logger: Logger) throws(Failure) {
        guard let redirects = RedirectAddresses(settings.redirectAddresses) else {
            throw Failure(
                .usage,
                message: "--redirect-addresses takes addresses such as app://callback, each whole and without *, "
                    + "not “\(settings.redirectAddresses)”.")
        }
        guard let path = settings.openIDProvidersPath else { return nil }
        guard let origins = AllowedOrigins(settings.allowedOrigins) else { return nil }
        (address, self.origins, self.redirects, self.logger) = (settings.publicAddress, origins, redirects, logger)
        // Never taken from a request: a provider sends codes to this address.
        guard AllowedOrigins(address)?.isEmpty == false, Self.isSafe(address) else {
            throw Failure(
                .usage,
                message: "--openid-providers needs --public-address, to which providers redirect people: "
                    + "https://documents.example.org, or http only on this machine.")
        }
        do {
            providers = try OpenIDProvider.list(in: SmallFile.bytes(of: path)) { try Self.secret($0, logger) }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.usage, message: "The list of providers in \(path) cannot be used: \(error).")
        }
    }

    /// Signs people in with the providers.
    func signIn(_ desk: AccountDesk, _ work: BlockingPool) -> SignInElsewhere {
        SignInElsewhere(
            providers, desk, address: address, origins: origins, redirects: redirects, work: work, requests: requests
        ) { [logger] provider, fault, reason in
            let metadata: Logger.Metadata = [
                "provider": "\(provider)", "fault": "\(fault.rawValue)", "reason": "\(reason)",
            ]
            // A person's own actions are not the service's trouble.
            let isTrouble = [SignInFault.refused, .away, .unavailable].contains(fault)
            logger.log(level: isTrouble ? .warning : .info, "a sign-in with a provider failed", metadata: metadata)
        }
    }

    /// Ends the threads.
    func stop() async { await requests.stop() }

    private static func isSafe(_ address: String) -> Bool {
        address.hasPrefix("https://") || HostName(address.dropFirst("http://".count))?.isLoopback == true
    }

    /// The first line of a secret's file.
    private static func secret(_ path: String, _ logger: Logger) throws -> String {
        let line = try SmallFile.bytes(of: path).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        if let status = try? FileStatus.of(path: path), status.mode & 0o004 != 0 {
            logger.warning("every user of this machine can read a provider's secret", metadata: ["file": "\(path)"])
        }
        guard let text = String(validating: line, as: UTF8.self), !text.isEmpty else {
            throw Failure(.usage, message: "The file \(path) has no secret in its first line.")
        }
        return text
    }
}
