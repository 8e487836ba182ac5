import CLinux
import Linux
import Media
import RenderHost
import TestSupport

/// A folder in which each renderer's name leads to the real one with the recorder built in.
struct RecordingRenderers {
    private let directory: String

    /// - Parameter programs: the folder of the built programs.
    init(programs: String) throws(SystemError) {
        directory = TemporaryFolder.make("calls")
        guard let absolute = realpath(programs, nil) else { throw SystemError.last("realpath(\(programs))") }
        defer { free(absolute) }
        for name in Self.names {
            let target = "\(String(cString: absolute))/probing-\(name.dropFirst(8))"
            try checking("symlink") { symlink(target, "\(directory)/\(name)") }
        }
        try checking("symlink") { symlink("\(String(cString: absolute))/stand-ins", "\(directory)/stand-ins") }
        try Descriptor.open("\(directory)/behaviour", O_WRONLY | O_CREAT).write(Array("record".utf8))
        // The renderers run as an ordinary user.
        try checking("chmod") { chmod(directory, 0o755) }
        try checking("chmod") { chmod("\(directory)/behaviour", 0o644) }
    }

    func makeHost() -> RenderHost { RenderHost(programs: RendererPrograms(directory: directory)) }

    func remove() {
        for name in Self.names { unlink("\(directory)/\(name)") }
        unlink("\(directory)/behaviour")
        unlink("\(directory)/stand-ins")
        rmdir(directory)
    }

    private static var names: Set<String> { Set(RendererClass.allCases.map(\.programName)) }
}
