internal import CLinux
internal import Linux
package import Media

extension SourceFile {
    /// Who can change the bytes while they are read; nobody can change a copy.
    var writers: Descriptor.Writers { isCopy || ranged != nil ? .user : descriptor.writers(status) }

    /// Whether only this user can change its bytes while they are read.
    public var isSecure: Bool { writers == .user }

    /// A copy that nobody can change: in sealed memory or, if it is large, in an unnamed file that is read-only from
    /// then on.
    ///
    /// - Throws: `cancelled`; `unavailable` if there is no room for a copy.
    package func copied(isCancelled: () -> Bool) throws(Failure) -> SourceFile {
        let copy: Descriptor?
        do throws(SystemError) {
            copy =
                byteCount <= Self.mostInMemory
                ? try MemoryFile.sealedCopy(of: file, byteCount: byteCount, isCancelled: isCancelled)
                : try spooledCopy(isCancelled: isCancelled)
        } catch {
            throw Failure(
                .unavailable, message: "File cannot be copied: \(error.reason).",
                detail: "others may write to it; \(error)")
        }
        guard let copy else { throw Failure(.cancelled) }
        return SourceFile(self, copiedTo: copy)
    }

    /// Larger copies are on disk: several at once would fill the memory.
    private static let mostInMemory: Int64 = 64 << 20

    private func spooledCopy(isCancelled: () -> Bool) throws(SystemError) -> Descriptor? {
        // Not /tmp, which is memory on many machines.
        let copy = try Descriptor.unnamed(in: Self.temporaryFolder ?? "/var/tmp")
        guard try copy.append(file, byteCount: byteCount, isCancelled: isCancelled) else { return nil }
        return try copy.reopenedForReading()
    }
}
