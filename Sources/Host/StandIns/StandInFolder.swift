internal import CLinux
internal import Linux
public import Media

/// The folder with the stand-ins of all classes, one subfolder per class, beside the renderers.
public struct StandInFolder {
    private let path: String

    /// The folder at a path.
    ///
    /// - Parameter path: created if it is missing, but not the folders above it.
    public init(_ path: String) { self.path = path }

    /// The stand-ins that were made for one class of renderers.
    public struct Report {
        /// The class that loads them.
        public let rendererClass: RendererClass
        /// How many were made.
        public fileprivate(set) var count = 0
        /// The libraries without a stand-in, each with the reason.
        public fileprivate(set) var left: [String] = []
    }

    /// Makes the stand-ins for this machine's libraries again from scratch, and for each class a list of the libraries
    /// that its renderers load.
    ///
    /// When a library on the list differs, for example after an upgrade, the stand-ins are no longer used.
    ///
    /// - Throws: `unavailable` if the libraries cannot be read or the folder cannot be written.
    public func fill() throws(Failure) -> [Report] {
        let libraries = try MachineLibraries()
        do throws(SystemError) {
            try make(path)
            var reports: [Report] = []
            for rendererClass in RendererClass.allCases {
                let uncalled = UncalledLibraries.names(for: rendererClass).flatMap(libraries.versions)
                if uncalled.isEmpty { continue }
                reports.append(try fill(rendererClass, insteadOf: uncalled))
                let program = "\(path)/../\(rendererClass.programName)"
                let loaded = Set(uncalled.map(\.path)).union(libraries.needed(by: program))
                try FileOrigins.write(of: loaded.sorted(), to: "\(path)/\(rendererClass.name).origins")
            }
            return reports
        } catch {
            throw Failure(.unavailable, message: "\(path) cannot be filled: \(error).")
        }
    }

    private func fill(
        _ rendererClass: RendererClass, insteadOf libraries: [(name: String, path: String)]
    ) throws(SystemError) -> Report {
        let folder = "\(path)/\(rendererClass.name)"
        try make(folder)
        // First, so that an interrupted run leaves no stand-ins that seem to match.
        unlink("\(folder).origins")
        for name in try FolderNames.texts(in: folder) { unlink("\(folder)/\(name)") }
        var report = Report(rendererClass: rendererClass)
        for library in libraries {
            let file = try Descriptor.open(library.path, O_RDONLY)
            let contents = try file.bytes(at: 0, count: Int(try file.status().byteCount))
            let standIn: StandIn
            do throws(NotALibrary) {
                standIn = try StandIn(of: contents)
            } catch {
                report.left.append("\(library.path): \(error)")
                continue
            }
            // Skips names that only compilers use (libX11.so).
            guard standIn.name == library.name else { continue }
            try write(standIn.bytes, to: "\(folder)/\(library.name)")
            report.count += 1
        }
        return report
    }

    private func make(_ folder: String) throws(SystemError) {
        if mkdir(folder, 0o755) != 0, clinux_errno() != EEXIST { throw SystemError.last("mkdir \(folder)") }
    }

    /// Writes a file that a starting renderer finds complete or not at all.
    private func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let temporary = "\(path).part"
        try Descriptor.open(temporary, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644).write(bytes)
        try checking("rename \(path)") { rename(temporary, path) }
    }
}
