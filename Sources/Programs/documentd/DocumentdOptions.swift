import ArgumentParser
import Console
import Daemon

/// The flags of `documentd`; a setting without a flag is set by the environment or the file.
struct DocumentdOptions: SettingFlags {
    var given: [Setting: String] = [:]
    var config: String?
    var logFormat: LogSettings.Format?
    var logLevel = LogSettings.Level.info

    static let flags: [CommandFlag<DocumentdOptions>] = [
        .option("config", "File of settings: lines of `name = value`.", value: "file") { $0.config = $1 },
        .setting(.data),
        .setting(.store, help: "Folder or bucket of the files (by default, the folder store in the data folder)."),
        .setting(.s3Endpoint), .setting(.remoteSources), .setting(.allowPrivateAddresses),
        .setting(.database), .setting(.serve), .setting(.stallTime), .setting(.auth), .setting(.tokenSecretFile),
        .setting(.tokenKeys), .setting(.tokenIssuer), .setting(.tokenAudience), .setting(.worker), .setting(.maxUpload),
        .setting(.maxResume), .setting(.uploadMemory), .setting(.readMemory),
        .setting(.pictureWait), .setting(.publicFiles), .setting(.directDownloads),
        .setting(.trustedProxies), .setting(.allowedOrigins),
        .setting(.scanner), .setting(.auditDays), .setting(.auditSize), .setting(.searchDays),
        .setting(.storagePerPerson), .setting(.storageOfNobody), .setting(.requestsPerMinute),
        .setting(.uploadsAtOnce), .setting(.searchesPerHour), .setting(.connectionsPerAddress),
        .setting(.signedAddressTime),
        .setting(.publicAddress), .setting(.mailServer), .setting(.mailFrom), .setting(.mailPasswordFile),
        .setting(.openIDProviders), .setting(.redirectAddresses),
        .setting(.cache),
        .setting(.jobs, help: "Pictures made at once (by default, the number of processors)."),
        .setting(.timeout), .setting(.memory), .setting(.memoryBudget), .setting(.cacheOwner), .setting(.cacheBudget),
        .setting(.lease), .setting(.drain), .setting(.controlGroup), .setting(.requireSandbox),
        .option("log-format", "text or json; by default text on a terminal.") { $0.logFormat = $1 },
        .option(
            "log-level", "trace, debug, info, notice, warning, error or critical.", standard: LogSettings.Level.info
        ) { $0.logLevel = $1 },
    ]
}
