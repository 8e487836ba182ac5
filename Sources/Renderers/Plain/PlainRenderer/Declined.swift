/// The reason why a file is left to libvips: it is unusual, damaged or over a limit.
package struct Declined: Error {
    /// The reason, for the log and `--explain`.
    package let reason: String

    /// A refusal for this reason.
    package init(_ reason: String) { self.reason = reason }
}
