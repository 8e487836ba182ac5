internal import CLinux
internal import Linux
package import Media

/// The folder that a queue lies in.
package enum QueueFolder {
    /// Where a queue lies by default for a user without a home.
    package static var withoutHome: String { "/var/tmp/compass-\(getuid())" }

    /// Makes sure that no other user has made the queue's folder where every user may make one, as below `/var/tmp`: jobs
    /// there would be a stranger's.
    ///
    /// - Throws: `unavailable`, with what to do.
    package static func check(_ queuePath: String) throws(Failure) {
        guard let folder = parent(of: queuePath), let around = parent(of: folder),
            (try? FileStatus.of(path: around))?.isWritableByAll == true,
            let status = try? FileStatus.of(linkPath: folder)
        else { return }
        let isOwn = [geteuid(), 0].contains(status.owner)
        // Elsewhere its owner may have meant it.
        let isOpen = folder == withoutHome && status.mode & 0o022 != 0
        if isOwn && status.isDirectory && !isOpen { return }
        let remedy = "Choose another queue (--queue, COMPASS_QUEUE)"
        let problem =
            !isOwn
            ? "belongs to user \(status.owner). \(remedy)."
            : status.isDirectory
                ? "may be written to by other users. \(remedy), or take that right away: chmod go-w."
                : "is no folder. \(remedy)."
        throw Failure(.unavailable, message: "The queue's folder \(FilePath(folder).shown) \(problem)")
    }

    private static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/"), path != "/" else { return path == "." ? nil : "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
