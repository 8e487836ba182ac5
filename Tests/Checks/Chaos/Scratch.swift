import CLinux
import Linux

/// A folder of this run's own; it removes files of an earlier run.
struct Scratch {
    let path: String

    init(_ path: String) throws(SystemError) {
        let full = path.hasPrefix("/") ? path : "\(String(cString: getcwd(nil, 0)))/\(path)"
        _ = try? Child.finish("/bin/umount", ["-q", "\(full)/disk"])
        _ = try Child.finish("/bin/rm", ["-rf", full])
        _ = try Child.finish("/bin/mkdir", ["-p", "\(full)/disk", "\(full)/sources", "\(full)/log"])
        self.path = full
    }

    /// The folder of queue and cache, where the small disk is mounted.
    var disk: String { "\(path)/disk" }
    var queue: String { "\(disk)/queue.sqlite" }
    var cache: String { "\(disk)/cache" }
    var sources: String { "\(path)/sources" }
    var journal: String { "\(path)/journal" }
    var clock: String { "\(path)/clock" }

    /// Puts queue and cache on a disk that can be filled.
    ///
    /// - Returns: whether this process may mount a disk.
    func mountDisk(megabytes: Int) -> Bool {
        let options = ["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", disk]
        return (try? Child.finish("/bin/mount", options)) == 0
    }

    func unmountDisk() { _ = try? Child.finish("/bin/umount", ["-l", disk]) }

    /// Takes every free byte of the disk until it is called with `false`.
    func fillDisk(_ isFull: Bool) {
        let filler = "\(disk)/filler"
        guard isFull else {
            unlink(filler)
            return
        }
        guard let file = try? Descriptor.open(filler, O_RDWR | O_CREAT) else { return }
        var offset: off_t = 0
        // Smaller and smaller steps, so that not even a page is left.
        for step in [16 << 20, 1 << 20, 64 << 10, 4 << 10] {
            while posix_fallocate(file.number, offset, off_t(step)) == 0 { offset += off_t(step) }
        }
    }
}
