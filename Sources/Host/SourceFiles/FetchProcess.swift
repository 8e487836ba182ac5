internal import CLinux
internal import Linux
internal import Media
internal import RenderHost
internal import Synchronization
internal import Wire

/// A running `compass-fetch`: the process that talks to a remote server, so that this process loads no network library
/// and parses no untrusted answer. It ends with this object.
final class FetchProcess: RangedContent {
    let byteCount: Int64
    /// Changes with the content; `nil` if its server states none.
    let version: String?
    private let socket: MessageSocket
    private let processID: pid_t

    static let programName = "compass-fetch"
    /// Longer than the timeouts of the program itself.
    private static let patience: Duration = .seconds(90)

    /// Starts the program, and has it open the content.
    ///
    /// - Throws: the program's own failure; `unavailable` if there is no program, or it does not answer.
    init(_ target: FetchTarget) throws(Failure) {
        let (socket, processID) = try Self.started()
        do throws(Failure) {
            let answer = try Self.ask(.open(target), on: socket, with: [])
            guard case .opened(let byteCount, let version) = answer else { throw Self.nonsense(answer) }
            (self.socket, self.processID, self.byteCount, self.version) = (socket, processID, byteCount, version)
        } catch {
            Self.end(processID)
            throw error
        }
    }

    deinit { Self.end(processID) }

    /// Makes the program test a bucket.
    ///
    /// - Throws: why the bucket cannot be used.
    static func probe(_ target: FetchTarget) throws(Failure) {
        let (socket, processID) = try started()
        defer { end(processID) }
        let answer = try ask(.probe(target), on: socket, with: [])
        guard case .done = answer else { throw nonsense(answer) }
    }

    func fetch(
        _ range: Range<Int64>, into file: Descriptor, within patience: Duration
    ) throws(Failure) -> Range<Int64> {
        let answer = try Self.ask(.fetch(range), on: socket, with: [file.number], within: patience)
        guard case .fetched(let came) = answer else { throw Self.nonsense(answer) }
        return came
    }

    static func ask(
        _ request: FetchRequest, on socket: MessageSocket, with descriptors: [Int32],
        within bound: Duration = patience
    ) throws(Failure) -> FetchAnswer {
        var answer: FetchAnswer?
        do throws(SystemError) {
            try socket.send(request.bytes, descriptors: descriptors)
            if try socket.waitForMessage(until: Time.monotonic + min(bound, patience)),
                let message = try socket.receive(limit: Wire.longestMessage)
            {
                answer = try? FetchAnswer(parsing: message.bytes)
            }
        } catch {
            throw Failure(.unavailable, detail: "\(programName): \(error)")
        }
        guard let answer else { throw Failure(.unavailable, detail: "\(programName) ended without an answer") }
        if case .failed(let failure) = answer { throw failure }
        return answer
    }

    static func nonsense(_ answer: FetchAnswer) -> Failure {
        Failure(.unavailable, detail: "\(programName) answered \(answer)")
    }

    // MARK: The process

    static func started() throws(Failure) -> (MessageSocket, pid_t) {
        do throws(SystemError) {
            guard let folder = try Installation.folder(holding: programName) else {
                throw SystemError("find \(programName)", number: ENOENT)
            }
            let path = "\(folder)/\(programName)"
            let (ours, theirs) = try MessageSocket.pair()
            var processID: pid_t = 0
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
            defer { free(arguments[0]) }
            var environment = storeEnvironment()
            defer { for text in environment { free(text) } }
            let result = clinux_spawn_with_control(
                &processID, path, theirs.descriptor.number, 1, &arguments, &environment)
            guard result == 0 else { throw SystemError("posix_spawn \(path)", number: result) }
            return (ours, processID)
        } catch {
            throw Failure(
                .unavailable, message: "The program that fetches files is missing. Reinstall Compass Media.",
                detail: "\(error)")
        }
    }

    /// This process's environment, because it has the keys of stores, without the service's own settings and secrets.
    private static func storeEnvironment() -> [UnsafeMutablePointer<CChar>?] {
        var texts: [UnsafeMutablePointer<CChar>?] = []
        var next = clinux_environment()
        while let text = next?.pointee {
            if strncmp(text, "COMPASS_", 8) != 0 { texts.append(strdup(text)) }
            next = next?.advanced(by: 1)
        }
        return texts + [nil]
    }

    static func end(_ processID: pid_t) {
        kill(processID, SIGKILL)
        ProcessEnd.wait(for: processID)
        _ = ProcessEnd(reaping: processID)
    }
}
