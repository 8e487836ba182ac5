internal import Media

/// One family of formats: says what a file is, or `nil` where it is none of the family.
///
/// Readers take nothing on trust: they read through the source's budget, bound every loop by a number of their own, and
/// call nothing by a name that they did not check. They throw only where the file cannot be read at all.
protocol ContentReader: SendableMetatype {
    static func finding(in source: BoundedSource) throws(Failure) -> Finding?
}
