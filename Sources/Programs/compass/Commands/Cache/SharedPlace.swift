import Console
import Media
import SourceFiles
import ThumbnailCache
import Wire

/// The pictures that machines share in a bucket: where they are, and how they are reached.
struct SharedPlace {
    /// The store of the files beside which they lie: `s3://BUCKET/PREFIX`.
    let store: String
    /// Asks the bucket by a process of its own, which ends with this.
    let files: any SharedPictureFiles

    /// The place that the setting `store` names; `nil` where it names no bucket.
    ///
    /// - Throws: `unavailable` where the program that asks buckets is missing; `usage` for what the settings lack.
    init?(_ settings: Settings) throws(Failure) {
        guard let store = Self.store(settings) else { return nil }
        self.store = store
        files = try BucketPictureFiles(FetchTarget(store, settings))
    }

    /// The bucket of the setting `store`, without a slash at its end; `nil` for a folder, or none.
    static func store(_ settings: Settings) -> String? {
        guard case .bucket? = settings.store, let store = settings.store?.description else { return nil }
        return String(store.reversed().drop { $0 == "/" }.reversed())
    }

    /// Where one of the files lies.
    func path(_ name: String) -> String { "\(store)/\(SharedPictureFile.folder)/\(name)" }
}
