import Foundation
import Media
import TestSupport
import Testing

/// The built `compass` with a scratch folder for one test.
struct CompassProgram {
    let scratch: URL

    init() throws {
        scratch = URL(fileURLWithPath: "/tmp").appendingPathComponent("compass-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        // The ordinary user to whom root's tests change works here too.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: scratch.path)
    }

    func remove() {
        _ = try? Self.run("/bin/chmod", ["-R", "u+rwX", scratch.path])
        try? FileManager.default.removeItem(at: scratch)
    }

    /// The output and exit status of a program.
    struct Output {
        let standardOutput: String
        let bytes: Data
        let standardError: String
        let status: Int32

        var lines: [String] { standardOutput.split(separator: "\n").map(String.init) }
        var errorLines: [String] { standardError.split(separator: "\n").map(String.init) }

        var json: [JSON] { lines.compactMap { try? JSON(parsing: Array($0.utf8)) } }
    }

    /// Runs `compass` with the scratch folder as its working folder and its cache below.
    @discardableResult
    func run(
        _ arguments: [String], input: Data? = nil, environment: [String: String] = [:], asOrdinaryUser: Bool = false
    ) throws -> Output {
        var all = ["PATH": "/usr/bin:/bin", "HOME": scratch.path, "COMPASS_CACHE": path("cache"), "LANG": "C.UTF-8"]
        all.merge(environment) { $1 }
        if asOrdinaryUser && getuid() == 0 {
            let dropping = ["--reuid=65534", "--regid=65534", "--clear-groups", "--", Self.executable] + arguments
            return try Self.run("/usr/bin/setpriv", dropping, input: input, environment: all, folder: scratch)
        }
        return try Self.run(Self.executable, arguments, input: input, environment: all, folder: scratch)
    }

    /// A path in the scratch folder.
    func path(_ name: String) -> String { scratch.appendingPathComponent(name).path }

    func write(_ data: Data, _ name: String) throws -> String {
        try data.write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// The paths of all files and folders below a folder.
    func files(below name: String) -> [String] {
        let walk = FileManager.default.enumerator(atPath: path(name))
        return (walk?.allObjects as? [String] ?? []).sorted()
    }

    static func run(
        _ program: String, _ arguments: [String], input: Data? = nil, environment: [String: String]? = nil,
        folder: URL? = nil
    ) throws -> Output {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        if let environment { process.environment = environment }
        process.currentDirectoryURL = folder
        let (output, error) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        let inputPipe = Pipe()
        process.standardInput = input == nil ? FileHandle.nullDevice : inputPipe
        try process.run()
        // Each stream is read on its own thread: a full pipe would block the program.
        let errorData = Collected()
        let reader = Thread { errorData.fill(from: error.fileHandleForReading) }
        reader.start()
        if let input {
            Thread {
                try? inputPipe.fileHandleForWriting.write(contentsOf: input)
                try? inputPipe.fileHandleForWriting.close()
            }.start()
        }
        let data = readAll(output.fileHandleForReading)
        process.waitUntilExit()
        let errorBytes = errorData.bytes()
        return Output(
            standardOutput: String(decoding: data, as: UTF8.self), bytes: data,
            standardError: String(decoding: errorBytes, as: UTF8.self), status: process.terminationStatus)
    }

    /// Reads to the end of the stream, also past a signal from another test, which Foundation takes for a fatal error.
    private static func readAll(_ handle: FileHandle) -> Data {
        var data = Data()
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(handle.fileDescriptor, &part, part.count)
            if count > 0 {
                data += part[..<count]
            } else if count == 0 || errno != EINTR {
                return data
            }
        }
    }

    private final class Collected: @unchecked Sendable {
        private let done = DispatchSemaphore(value: 0)
        private var data = Data()

        func fill(from handle: FileHandle) {
            data = CompassProgram.readAll(handle)
            done.signal()
        }

        func bytes() -> Data {
            // A program of its own may keep the stream open.
            guard done.wait(timeout: .now() + 60) == .success else { return Data("no end of standard error".utf8) }
            return data
        }
    }

    /// The path of one of this build's programs.
    ///
    /// Found by the folder, since the names of programs may also occur in the folders above it.
    static func built(_ name: String) -> String { "\(BuiltPrograms.folder)/\(name)" }

    static let executable = built("compass")
}
