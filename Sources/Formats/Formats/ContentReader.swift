internal import Media

/// Recognises one family of formats.
///
/// Readers treat the file as hostile: they read through `BoundedSource`, and every loop has its own bound.
protocol ContentReader: SendableMetatype {
    /// The file's type; `nil` for files outside the family.
    ///
    /// - Throws: `corrupt` if the file cannot be read.
    static func finding(in source: BoundedSource) throws(Failure) -> Finding?
}
