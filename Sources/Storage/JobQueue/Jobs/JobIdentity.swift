/// What makes two jobs equal, as text that is compared bytewise.
///
/// File names are bytes. Swift treats texts as equal if they differ only in Unicode normalisation, so two files would
/// become one job.
struct JobIdentity: Hashable, Sendable {
    let text: String

    static func == (one: JobIdentity, other: JobIdentity) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    func hash(into hasher: inout Hasher) {
        // The end mark separates the text from what follows.
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(UInt8.max)
    }
}
