import Console
import Daemon
import DocumentAPI
import Documents
import HTTPServing
import Hummingbird
import HummingbirdCore
import JobQueue
import Library
import Linux
import Logging
import MatchStore
import Media
import Objects
import People
import PersonalData
import RenderHost
import Supabase
import Web
import Worker

/// `documentd` from start to end: opens the stores, starts the worker and the server, and responds to signals.
struct DocumentService {
    private let settings: Settings
    private let logger: Logger

    init(_ settings: Settings, _ log: LogSettings) {
        self.settings = settings
        logger = log.makeLogger("documentd")
    }

    /// Serves until a signal ends it.
    ///
    /// - Returns: whether a second signal cut the end short.
    /// - Throws: `usage` for an address that others can reach; `unavailable` if a store or the renderers cannot be
    ///   used.
    func run() throws(Failure) -> Bool {
        let signals = try takeSignals()
        defer { signals.forget() }
        do throws(SystemError) { _ = try DescriptorLimit.raise() } catch { logger.warning("\(error)") }
        let systemd = SystemdSocket(environment: Process.environment)
        if settings.service.authentication == .off { try requireLoopback() }
        let rendering = try RenderingEngine(settings, logger)
        PrivateFolders.make(settings.service.dataPath)
        let lock = try FolderLock(settings.service.dataPath, isExclusive: false)
        defer { withExtendedLifetime(lock) {} }
        let remains = RestoreRemains(settings.service)
        remains?.removeParts()
        remains?.removeFormers(olderThan: RestoreRemains.keptTime)
        let stores = try Stores(settings, logger)
        let keys = try ServiceKeys.ring(settings.service, stores.database, logger)
        let people = try PeopleService(settings.service, stores.database, keys, logger)
        let library = try stores.library(settings, rendering, mayChange: people.mayChange, logger)
        let watcher = Watcher(library)
        try watcher.start()
        let worker = settings.service.hasWorker ? try startWorker(rendering, stores) : nil
        let audit = people.isLocalPerson ? nil : try Self.auditLog(settings.service, logger)
        let searches = try stores.searches(settings)
        let removals = try people.accounts?.startRemovals(library, searches, stores, logger)
        let tidying = try SearchTidying(searches, remains, logger)
        let server = try DocumentServer(
            settings.service, library, in: stores.documents.database, searches, keys.secrets, people, audit: audit,
            archive: archives(stores, searches, audit),
            logger
        ) {
            Self.notReadyReasons(library, worker) + people.notReadyReasons + [keys.hindrance].compactMap(\.self)
        }
        let serving = try server.start()
        let end = try end(by: signals, worker, server, serving)
        systemd.tell("READY=1", "STATUS=Serving")
        end.first.wait()
        logger.notice("stopping: waiting for running requests to finish")
        systemd.tell("STOPPING=1")
        worker?.drain(within: settings.worker.drainTime)
        library.events.end()
        // Before the threads that may wait for a store: requests get their time, even if the store does not respond.
        server.stop(serving, within: settings.worker.drainTime)
        audit?.flush()
        watcher.stop()
        removals?.stop()
        tidying.stop()
        people.stop()
        rendering.host.shutDown()
        keys.stop()
        logger.notice("stopped")
        return end.second.current != nil
    }

    private func takeSignals() throws(Failure) -> Signals {
        do throws(SystemError) {
            return try Signals.take(endingWithin: settings.worker.drainTime + Signals.endTime)
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
    }

    /// Listens for the signals. The second one ends running work at once.
    private func end(
        by signals: Signals, _ worker: Worker?, _ server: DocumentServer, _ serving: HTTPService
    ) throws(Failure) -> (first: Promise<Void>, second: Promise<Void>) {
        let (first, second) = (Promise<Void>(), Promise<Void>())
        do throws(SystemError) {
            try signals.listen {
                first.fulfil(())
            } second: {
                second.fulfil(())
                server.cut(serving)
                worker?.abandon()
            }
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
        return (first, second)
    }

    /// Makes the archives of persons' data.
    private func archives(
        _ stores: Stores, _ searches: SearchDesk, _ audit: AuditLog?
    ) -> @Sendable (Account, AccountDesk) -> AccountArchive {
        let (documents, files, folder) = (stores.documents, stores.files, settings.service.dataPath)
        return { account, accounts in
            AccountArchive(
                of: account, in: accounts, documents: documents, files: files, parts: [PersonalPart(searches)],
                audit: audit, spoolingIn: folder,
                at: Instant(microseconds: Time.wall / 1000))
        }
    }

    private static func auditLog(_ settings: ServiceSettings, _ logger: Logger) throws(Failure) -> AuditLog {
        do throws(SystemError) {
            return try AuditLog(
                folder: Stores.auditFolder(settings), keptDays: settings.auditDays, byteCount: settings.auditByteCount
            ) { error in
                logger.error("an audit log entry was lost", metadata: ["reason": "\(error)"])
            }
        } catch {
            throw Failure(.unavailable, message: "The audit log cannot be written.", detail: "\(error)")
        }
    }

    /// Why the service cannot work now: the database does not answer, or the worker cannot work. While the store of
    /// files is unreachable, everything else is served, and no other host can reach it either.
    private static func notReadyReasons(_ library: DocumentLibrary, _ worker: Worker?) -> [String] {
        var notReadyReasons = (worker?.troubles ?? [:]).filter { $0.key != .store }
            .map { "worker: \($0.key.rawValue) unreachable" }.sorted()
        do throws(DocumentError) {
            _ = try library.store.dueRemovals(limit: 1)
        } catch {
            notReadyReasons.append("database unreachable")
        }
        return notReadyReasons
    }

    /// Without accounts everyone who reaches the service is the same person.
    private func requireLoopback() throws(Failure) {
        let host = settings.service.address.host
        guard host == "localhost" || host == "::1" || host.hasPrefix("127.") else {
            throw Failure(
                .usage, message: "With --auth off the service can listen only on loopback: --listen 127.0.0.1:8080.")
        }
    }

    private func startWorker(_ rendering: RenderingEngine, _ stores: Stores) throws(Failure) -> Worker {
        let (logger, files) = (logger, stores.files)
        let maxByteCount = settings.worker.maxSourceByteCount
        let worker = rendering.makeWorker(
            stores.database, try SourceRoots([], maxByteCount: .max),
            openObject: { key throws(Failure) in try files.source(ofJob: key, maxByteCount: maxByteCount) },
            shared: stores.pictures,
            observer: { event in
                switch event {
                case .finished(let report):
                    guard let failure = report.failure else { return }
                    logger.info(
                        "a job failed", metadata: ["kind": "\(report.job.kind)", "reason": "\(failure)"])
                case .troubleBegan(let dependency, let detail):
                    logger.warning(
                        "the worker pauses: \(dependency.rawValue) is unreachable", metadata: ["reason": "\(detail)"])
                case .troubleEnded(let dependency, _): logger.notice("\(dependency.rawValue) is reachable again")
                default: return
                }
            })
        do throws(SystemError) {
            _ = try WorkerThread(name: "worker") {
                do throws(Failure) {
                    try worker.run()
                } catch {
                    logger.error("the worker stopped", metadata: ["reason": "\(error)"])
                }
            }
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
        return worker
    }
}
