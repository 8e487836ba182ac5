internal import Media

/// Recognises one family of formats.
///
/// Readers treat the file as hostile: they read through `BoundedSource`, and every loop has a bound of its own.
protocol ContentReader: SendableMetatype {
    /// The file's type; `nil` for files outside the family.
    ///
    /// - Throws: `corrupt` where the file cannot be read.
    static func finding(in source: BoundedSource) throws(Failure) -> Finding?
}
