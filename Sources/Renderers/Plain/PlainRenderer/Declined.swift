/// Why a file is left to the renderer that is asked next: it is rare, damaged or over a limit, and libvips knows what to do.
package struct Declined: Error {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
