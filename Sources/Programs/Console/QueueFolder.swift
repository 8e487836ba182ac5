internal import CLinux
internal import Linux
package import Media

/// Checks the folder of a queue.
package enum QueueFolder {
    /// The default folder of the queue for a user without a home.
    package static var withoutHome: String { "/var/tmp/compass-\(getuid())" }

    /// Refuses a queue's folder that another user created in a place that every user may write to, such as `/var/tmp`:
    /// that user would control the jobs.
    ///
    /// - Throws: `unavailable` with the remedy.
    package static func check(_ queuePath: String) throws(Failure) {
        guard let folder = parent(of: queuePath), let around = parent(of: folder),
            (try? FileStatus.of(path: around))?.isWritableByAll == true,
            let status = try? FileStatus.of(linkPath: folder)
        else { return }
        let isOwn = [geteuid(), 0].contains(status.owner)
        // Elsewhere the owner may have opened the folder on purpose.
        let isOpen = folder == withoutHome && status.mode & 0o022 != 0
        if isOwn && status.isDirectory && !isOpen { return }
        let remedy = "Choose another queue (--queue, COMPASS_QUEUE)"
        let problem =
            !isOwn
            ? "belongs to user \(status.owner). \(remedy)."
            : status.isDirectory
                ? "is writable by other users. \(remedy), or remove that permission: chmod go-w."
                : "is not a folder. \(remedy)."
        throw Failure(.unavailable, message: "The queue's folder \(FilePath(folder).shown) \(problem)")
    }

    private static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/"), path != "/" else { return path == "." ? nil : "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
