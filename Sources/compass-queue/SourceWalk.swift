import CLinux
import Linux
import Media

/// The files that a person means by names of files and folders: absolute paths, in the names' order, a folder's sorted.
///
/// Hidden files are skipped, and so is what is neither file nor folder. A link to a file counts where it leads to one below
/// the named folder; links to folders are not followed at all.
struct SourceWalk {
    /// A file, or a name behind which there is none to be had.
    struct Entry: Sendable {
        /// As the person would write it.
        let name: String
        /// Absolute and without links.
        let path: Result<String, Failure>
    }

    private(set) var entries: [Entry] = []

    init(_ names: [String]) {
        for name in names { add(named: name) }
    }

    private mutating func add(named name: String) {
        guard let path = Self.resolved(name) else {
            let message = clinux_errno() == ENOENT ? "File not found. Check the path." : nil
            let reason = SystemError.last("realpath").reason
            return fail(name, Failure(.sourceMissing, message: message ?? "File cannot be read: \(reason)."))
        }
        guard (try? FileStatus.of(path: path))?.isDirectory == true else {
            return entries.append(Entry(name: name, path: .success(path)))
        }
        var shown = name
        while shown.count > 1 && shown.hasSuffix("/") { shown.removeLast() }
        walk(path, shown: shown == "." ? "" : shown == "/" ? "/" : "\(shown)/", root: path == "/" ? "/" : "\(path)/")
    }

    private mutating func walk(_ folder: String, shown: String, root: String) {
        let names: [[UInt8]]
        do throws(SystemError) {
            names = try FolderNames.bytes(in: folder)
        } catch {
            return fail(shown, Failure(.sourceMissing, message: "Folder cannot be read: \(error.reason)."))
        }
        let visible = names.filter { $0.first != UInt8(ascii: ".") }
        for name in visible.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard let name = String(validating: name, as: UTF8.self) else {
                let shownName = shown + String(decoding: name, as: UTF8.self)
                fail(shownName, Failure(.sourceMissing, message: "The name is no UTF-8. Rename the file."))
                continue
            }
            let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            var status = stat()
            // What vanished since the folder was read is not there to be queued.
            guard lstat(path, &status) == 0 else { continue }
            switch Int32(bitPattern: status.st_mode) & S_IFMT {
            case S_IFDIR: walk(path, shown: "\(shown)\(name)/", root: root)
            case S_IFREG: entries.append(Entry(name: shown + name, path: .success(path)))
            case S_IFLNK:
                guard let target = Self.resolved(path), target.hasPrefix(root),
                    (try? FileStatus.of(path: target))?.isRegularFile == true
                else { continue }
                entries.append(Entry(name: shown + name, path: .success(target)))
            default: continue
            }
        }
    }

    private mutating func fail(_ name: String, _ failure: Failure) {
        entries.append(Entry(name: name, path: .failure(failure)))
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(validatingCString: resolved)
    }
}
