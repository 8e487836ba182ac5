import CLinux
import Linux
import Media
import SourceFiles

/// The files behind names of files and folders: absolute paths, in the order of the names; the files of a folder are
/// sorted.
///
/// Hidden files, devices, pipes and sockets are skipped. A link to a file is followed if its target is below the named
/// folder; a link to a folder is not followed.
struct SourceWalk {
    /// A file, or a name without a readable file.
    struct Entry: Sendable {
        /// The name on the command line, or below a folder named there.
        let name: FilePath
        /// Absolute and without links, or an address.
        let path: Result<String, Failure>
    }

    private(set) var entries: [Entry] = []

    init(_ names: [FilePath]) {
        for name in names { add(named: name) }
    }

    private mutating func add(named name: FilePath) {
        if SourceFile.isAddress(name.readable) {
            return entries.append(Entry(name: name, path: .success(name.readable)))
        }
        let path: String
        do throws(Failure) {
            path = try Self.resolved(name.bytes)
        } catch {
            return fail(name, error)
        }
        guard (try? FileStatus.of(path: path))?.isDirectory == true else {
            return entries.append(Entry(name: name, path: .success(path)))
        }
        var shown = name.bytes[...]
        while shown.count > 1 && shown.last == UInt8(ascii: "/") { shown.removeLast() }
        walk(path, shown: FilePath(shown == [UInt8(ascii: ".")] ? [] : shown), root: path == "/" ? "/" : "\(path)/")
    }

    private mutating func walk(_ folder: String, shown: FilePath, root: String) {
        let names: [[UInt8]]
        do throws(SystemError) {
            names = try FolderNames.bytes(in: folder)
        } catch {
            return fail(shown, Failure(.sourceMissing, message: "Folder cannot be read: \(error.reason)."))
        }
        let visible = names.filter { $0.first != UInt8(ascii: ".") }
        for nameBytes in visible.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let shownName = shown.appending(nameBytes)
            guard let name = String(validating: nameBytes, as: UTF8.self) else {
                fail(shownName, Self.noText)
                continue
            }
            let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            // The file may have disappeared since the folder was read.
            guard let status = try? FileStatus.of(linkPath: path) else { continue }
            if status.isDirectory {
                walk(path, shown: shownName, root: root)
            } else if status.isRegularFile {
                entries.append(Entry(name: shownName, path: .success(path)))
            } else if status.isLink, let target = try? Self.resolved(Array(path.utf8)), target.hasPrefix(root),
                (try? FileStatus.of(path: target))?.isRegularFile == true
            {
                entries.append(Entry(name: shownName, path: .success(target)))
            }
        }
    }

    private mutating func fail(_ name: FilePath, _ failure: Failure) {
        entries.append(Entry(name: name, path: .failure(failure)))
    }

    /// The absolute path without links, as jobs hold it.
    private static func resolved(_ path: [UInt8]) throws(Failure) -> String {
        guard let resolved = realpath(terminated(path), nil) else {
            let error = SystemError.last("realpath")
            let message =
                error.number == ENOENT ? "File not found. Check the path." : "File cannot be read: \(error.reason)."
            throw Failure(.sourceMissing, message: message)
        }
        defer { free(resolved) }
        guard let text = String(validatingCString: resolved) else { throw noText }
        return text
    }

    private static var noText: Failure {
        Failure(.sourceMissing, message: "The path is not UTF-8, and jobs hold only text. Rename the file or folder.")
    }
}
