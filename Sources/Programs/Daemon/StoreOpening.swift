package import Console
package import Database
internal import JobQueue
package import Media
package import Objects
internal import S3
package import ThumbnailCache

/// Opens the store of documents' files that the settings name.
package struct StoreOpening {
    private let endpoint: String?
    private let givesAddresses: Bool
    private let environment: [String: String]
    private let database: @Sendable () throws -> any SQLDatabase
    private let locks: any ObjectLocks
    private let memory: TransferMemory

    /// - Parameters:
    /// - database: opens the database that has the rows of a bucket; called later.
    /// - environment: has the credentials of a bucket, or their location, under the names that Amazon's tools use.
    /// - Throws: `usage` for an invalid database address.
    package init(
        _ settings: Settings, in database: @escaping @Sendable () throws -> any SQLDatabase,
        environment: [String: String]
    ) throws(Failure) {
        self.database = database
        endpoint = settings.storeEndpoint
        givesAddresses = settings.service.redirectsToStore
        self.environment = environment
        memory = TransferMemory(uploads: settings.service.uploadMemory, reading: settings.service.readMemory)
        locks =
            if case .server(let text)? = settings.database {
                ServerObjectLocks(try Address(ofSetting: text, program: "locks"))
            } else { LocalObjectLocks() }
    }

    /// Opens the store, and sends a bucket a request, so that a wrong setting shows now.
    ///
    /// - Parameter making: makes a missing folder, or a bucket's tables; the bucket itself must exist.
    /// - Throws: `usage` for missing settings; `unavailable` if the store cannot be used, with the remedy.
    package func open(_ place: StoreAddress, making: Bool) throws(Failure) -> any ObjectStore {
        do throws(ObjectError) {
            switch place {
            case .folder(let path):
                return try FolderStore(path: path, making: making, memory: memory)
            case .bucket(let name, let prefix):
                let store = BucketStore(
                    try client(name), prefix: prefix, database: database, locks: locks, memory: memory,
                    temporaryFolder: environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/var/tmp",
                    givesAddresses: givesAddresses)
                try store.check()
                if making { try store.prepare() }
                return store
            }
        } catch {
            switch (place, error) {
            case (.folder, .missing):
                throw Failure(.usage, message: "The store \(place) is not a folder (setting store).")
            case (.bucket, .invalidPath(let reason)):
                throw Failure(.usage, message: "The store \(place) cannot be used: \(reason).")
            // The fault's own words contain the remedy, and no content.
            case (.bucket, _):
                throw Failure(
                    .unavailable,
                    message:
                        "The store \(place) cannot be used: \(error.detail.isEmpty ? error.message : error.detail).")
            default: throw Failure(.unavailable, message: "The store \(place) cannot be used.", detail: "\(error)")
            }
        }
    }

    /// The pictures that machines share, stored next to the files; `nil` for a folder, which has none.
    ///
    /// - Throws: `usage` for missing settings.
    package func pictures(_ place: StoreAddress) throws(Failure) -> (any SharedPictures)? {
        guard case .bucket(let name, let prefix) = place else { return nil }
        // A person waits: a picture that does not arrive soon is made here.
        var patience = S3Patience()
        (patience.connecting, patience.stalling) = (.seconds(1), .seconds(5))
        (patience.whole, patience.mostTries) = (.seconds(20), 2)
        do throws(ObjectError) {
            return BucketPictures(try client(name, patience), prefix: prefix)
        } catch {
            throw Failure(.usage, message: "The store \(place) cannot be used.", detail: "\(error)")
        }
    }

    /// - Throws: `invalidPath` with the missing settings.
    private func client(
        _ bucket: String, _ patience: S3Patience = S3Patience()
    ) throws(ObjectError) -> S3Client {
        do throws(S3SettingsError) {
            return try S3Client(bucket: bucket, endpoint: endpoint, environment: environment, patience: patience)
        } catch {
            throw .invalidPath(error.reason)
        }
    }
}
