/// In which order a store lists keys.
enum ListOrder: Sendable {
    /// By their bytes, as S3 does.
    case bytes
    /// Folder by folder, so that `a/x` stands before `a-b`.
    case folders
}
