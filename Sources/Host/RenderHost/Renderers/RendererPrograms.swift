internal import Linux
public import Media

/// The folder of the renderers' programs: beside the running program or in `../libexec/compass`, never on `PATH`.
public struct RendererPrograms: Sendable {
    /// The folder's path.
    public let directory: String

    /// Programs in a folder that the caller names.
    public init(directory: String) { self.directory = directory }

    /// The renderers that belong to the running program.
    ///
    /// - Throws: `unavailable` if there are none.
    public static func ofRunningProgram() throws(Failure) -> RendererPrograms {
        let sniffer = RendererClass.sniff.programName
        let candidates: [String]
        do throws(SystemError) {
            if let folder = try Installation.folder(holding: sniffer) { return RendererPrograms(directory: folder) }
            candidates = try Installation.candidates()
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
        throw Failure(
            .unavailable, message: "The renderers are missing. Reinstall Compass Media.",
            detail: "no \(sniffer) in \(candidates.joined(separator: " or "))")
    }

    /// A number for the identity of these programs' files in the kernel; `nil` if one is missing.
    ///
    /// Two processes with the same fingerprint start exactly the same renderers; an upgrade changes the fingerprint.
    package var fingerprint: UInt64? {
        var hash = FNV1a()
        for name in Set(RendererClass.allCases.map(\.programName)).sorted() {
            guard let status = try? FileStatus.of(path: "\(directory)/\(name)") else { return nil }
            for number in [status.device, status.inode, UInt64(bitPattern: status.byteCount)] { hash.add(number) }
            for time in [status.modified, status.changed] { hash.add(UInt64(bitPattern: time)) }
        }
        return hash.value
    }

    func path(of rendererClass: RendererClass) -> String { "\(directory)/\(rendererClass.programName)" }

    /// The stand-ins for the libraries that the class never calls; `nil` if the path contains a character that the
    /// dynamic linker treats as a separator or a variable.
    func standIns(for rendererClass: RendererClass) -> StandInLibraries? {
        let libraries = StandInLibraries(of: rendererClass, in: directory)
        return libraries.path.contains { ":;$".contains($0) } ? nil : libraries
    }
}

/// 64 bits of FNV-1a.
private struct FNV1a {
    private(set) var value: UInt64 = 14_695_981_039_346_656_037

    mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes in
            for byte in bytes { value = (value ^ UInt64(byte)) &* 1_099_511_628_211 }
        }
    }
}
