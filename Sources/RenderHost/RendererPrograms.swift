internal import CLinux
internal import Linux
public import Media

/// Where the renderers' programs lie: beside the running program or in `../libexec/compass`, never on `PATH`.
public struct RendererPrograms: Sendable {
    public let directory: String

    /// Programs in a folder that the caller names.
    public init(directory: String) { self.directory = directory }

    /// The renderers that belong to the running program.
    ///
    /// - Throws: `unavailable` where there are none.
    public static func ofRunningProgram() throws(Failure) -> RendererPrograms {
        let here = try ownDirectory()
        let candidates = [here, "\(here)/../libexec/compass"]
        for candidate in candidates where access("\(candidate)/\(RendererClass.sniff.programName)", X_OK) == 0 {
            return RendererPrograms(directory: candidate)
        }
        throw Failure(
            .unavailable, message: "The renderers are missing. Reinstall Compass Media.",
            detail: "no \(RendererClass.sniff.programName) in \(candidates.joined(separator: " or "))")
    }

    func path(of rendererClass: RendererClass) -> String { "\(directory)/\(rendererClass.programName)" }

    private static func ownDirectory() throws(Failure) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes {
            readlink("/proc/self/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        guard count > 0 else { throw Failure(.unavailable, detail: "\(SystemError.last("readlink /proc/self/exe"))") }
        let path = String(decoding: buffer[..<count], as: UTF8.self)
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
}
