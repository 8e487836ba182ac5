/// What makes two jobs equal, as text that is compared by its bytes.
///
/// Names of files are bytes. Swift takes texts for equal that differ by Unicode normalisation alone, and two files would be one job.
struct JobIdentity: Hashable, Sendable {
    let text: String

    static func == (one: JobIdentity, other: JobIdentity) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    func hash(into hasher: inout Hasher) {
        // The end keeps what follows apart.
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(UInt8.max)
    }
}
