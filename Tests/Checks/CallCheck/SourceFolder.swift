import CLinux
import Linux

/// The files named on the command line, by path.
enum SourceFolder {
    /// The file itself, or every file below the folder; names that begin with a dot are left out.
    static func files(at path: String) -> [String] {
        guard let status = try? FileStatus.of(path: path) else { return [] }
        if status.isRegularFile { return [path] }
        guard status.isDirectory, let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var files: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { files += self.files(at: "\(path)/\(name)") }
        }
        return files
    }
}
