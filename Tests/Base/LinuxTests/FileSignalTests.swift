import CLinux
import Foundation
import Linux
import TestDeadline
import TestSupport
import Testing

@Suite("Signals by files", .serialized, .deadline)
final class FileSignalTests {
    private let folder = TemporaryFolder.make("signals")

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// How many inotify instances this process has.
    private static var instanceCount: Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.count { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"))
                == "anon_inode:inotify"
        }
    }

    @Test("Listeners of several files share one inotify instance")
    func instances() throws {
        let signals = try (0..<3).map { try FileSignal(path: "\(folder)/\($0)") }
        let listeners = try (0..<12).map { try signals[$0 % 3].makeListener() }
        #expect(Self.instanceCount == 1)
        try signals[1].send()
        for (index, listener) in listeners.enumerated() {
            // Whoever reads the instance first tells the others.
            #expect(try listener.wait(atMost: .zero) == (index % 3 == 1), "listener \(index)")
            #expect(try !listener.wait(atMost: .zero), "a signal wakes once")
        }
    }

    @Test("A listener that stays hears its file after others of the same file have gone")
    func leaving() throws {
        let signal = try FileSignal(path: "\(folder)/file")
        let stays = try signal.makeListener()
        for _ in 0..<5 {
            _ = try signal.makeListener()
            try signal.send()
            #expect(try stays.wait(atMost: .zero))
        }
        #expect(try !stays.wait(atMost: .milliseconds(1)))
    }

    @Test("Threads that wait for several files are each woken by their own")
    func threads() throws {
        let signals = try (0..<4).map { try FileSignal(path: "\(folder)/\($0)") }
        let answers = (0..<8).map { _ in Promise<Bool>() }
        let threads = try answers.enumerated().map { index, answer in
            let listener = try signals[index % 4].makeListener()
            return try WorkerThread(name: "waiting") {
                answer.fulfil((try? listener.wait(atMost: .seconds(30))) == true)
            }
        }
        for signal in signals.reversed() { try signal.send() }
        #expect(try answers.map { try $0.value() } == Array(repeating: true, count: 8))
        for thread in threads { thread.join() }
    }

    @Test("A signal that another thread reads reaches a listener that waits meanwhile", arguments: 0..<50)
    func races(round: Int) throws {
        let signal = try FileSignal(path: "\(folder)/\(round)")
        let (one, other) = (try signal.makeListener(), try signal.makeListener())
        let answer = Promise<Bool>()
        let thread = try WorkerThread(name: "waiting") {
            answer.fulfil((try? one.wait(atMost: .seconds(30))) == true)
        }
        try signal.send()
        #expect(try other.wait(atMost: .seconds(30)))
        #expect(try answer.value())
        thread.join()
    }

    @Test("The file of a signal is its user's alone, whatever the umask")
    func mode() throws {
        _ = try FileSignal(path: "\(folder)/new")
        #expect(try FileStatus.of(path: "\(folder)/new").mode & 0o777 == 0o600)
    }
}
