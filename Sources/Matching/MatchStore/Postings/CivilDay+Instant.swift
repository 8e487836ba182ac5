package import Matching
package import Media

extension CivilDay {
    /// The day of a moment in UTC.
    package init(of moment: Instant) { self.init(number: Int(moment.microseconds / 86_400_000_000)) }
}
