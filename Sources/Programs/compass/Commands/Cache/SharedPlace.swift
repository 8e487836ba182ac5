import Console
import Media
import SourceFiles
import ThumbnailCache
import Wire

/// The pictures that machines share in a bucket: their location, and how to reach them.
struct SharedPlace {
    /// The store of the files next to which they are: `s3://BUCKET/PREFIX`.
    let store: String
    /// Asks the bucket through its own process, which ends with this value.
    let files: any SharedPictureFiles

    /// The place that the setting `store` names; `nil` if it names no bucket.
    ///
    /// - Throws: `unavailable` if the program that asks buckets is missing; `usage` for missing settings.
    init?(_ settings: Settings) throws(Failure) {
        guard let store = Self.store(settings) else { return nil }
        self.store = store
        files = try BucketPictureFiles(FetchTarget(store, settings))
    }

    /// The bucket of the setting `store`, without a trailing slash; `nil` for a folder, or none.
    static func store(_ settings: Settings) -> String? {
        guard case .bucket? = settings.store, let store = settings.store?.description else { return nil }
        return String(store.reversed().drop { $0 == "/" }.reversed())
    }

    /// The location of one of the files.
    func path(_ name: String) -> String { "\(store)/\(SharedPictureFile.folder)/\(name)" }
}
