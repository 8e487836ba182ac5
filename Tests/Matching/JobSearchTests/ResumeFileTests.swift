import CLinux
import Foundation
import Linux
import MatchStore
import Media
import SourceFiles
import TestDeadline
import TestSupport
import Testing

/// The fake renderer reads each file: what it does is the file's text.
@Suite("Files of résumés", .deadline)
struct ResumeFileTests {
    /// A folder in which every renderer is the fake one.
    private static func programs() -> String {
        let programs = TemporaryFolder.make("readers")
        for rendererClass in RendererClass.allCases {
            symlink("\(BuiltPrograms.folder)/fake-renderer", "\(programs)/\(rendererClass.programName)")
        }
        return programs
    }

    @Test("The work on a file ends when its search is deleted", .timeLimit(.minutes(1)))
    func deleted() throws {
        let programs = Self.programs()
        defer { try? FileManager.default.removeItem(atPath: programs) }
        // Longer than the test waits.
        let bench = try SearchBench(.sqlite, engine: SearchBench.engine(programs: programs, wallTime: .seconds(300)))
        defer { bench.close() }
        let path = "\(bench.folder)/cv"
        try Data("hang as application/pdf".utf8).write(to: URL(fileURLWithPath: path))
        let search = try bench.add()
        let (isOpen, isOver) = (Promise<Void>(), Promise<Bool>())
        let thread = try WorkerThread(name: "work") {
            do {
                try bench.work.perform(search.object.rawValue) { () throws(Failure) in
                    isOpen.fulfil(())
                    return try SourceFile.open(path)
                }
                isOver.fulfil(true)
            } catch {
                isOver.fulfil(false)
            }
        }
        try isOpen.value()
        _ = try bench.searches.remove(search.id)
        // Without a failure: nothing is tried again.
        try #require(isOver.wait(until: Time.monotonic + .seconds(30)) == true)
        thread.join()
    }

    @Test("A file that takes too long ends its session", .timeLimit(.minutes(1)))
    func overdue() throws {
        let programs = Self.programs()
        defer { try? FileManager.default.removeItem(atPath: programs) }
        let bench = try SearchBench(
            .sqlite, engine: SearchBench.engine(programs: programs, wallTime: .seconds(300)),
            longestWork: .milliseconds(200))
        defer { bench.close() }
        let path = "\(bench.folder)/cv"
        try Data("hang as application/pdf".utf8).write(to: URL(fileURLWithPath: path))
        let search = try bench.add()
        try bench.work.perform(search.object.rawValue) { () throws(Failure) in try SourceFile.open(path) }
        let session = try bench.searches.search(search.id)
        #expect(session.state == .failed && session.message?.contains("takes too much to read") == true, "\(session)")
    }

    /// The session of a file after its work.
    private static func session(of command: String) throws -> ResumeSearch {
        let programs = programs()
        defer { try? FileManager.default.removeItem(atPath: programs) }
        let engine = SearchBench.engine(programs: programs)
        let bench = try SearchBench(.sqlite, engine: engine)
        defer { bench.close() }
        let path = "\(bench.folder)/cv"
        try Data("\(command) as application/pdf".utf8).write(to: URL(fileURLWithPath: path))
        let search = try bench.add()
        try bench.work.perform(search.object.rawValue) { () throws(Failure) in try SourceFile.open(path) }
        return try bench.searches.search(search.id)
    }

    @Test(
        "A file that cannot be read ends its session with what is wrong",
        arguments: [
            ("pages 31", "has 31 pages"), ("pages 2 bad:all", "is damaged"), ("fail", "protected by a password"),
            ("pages 30", "does not look like a résumé"), ("spoil", "is damaged"),
        ])
    func faults(command: String, words: String) throws {
        let session = try Self.session(of: command)
        #expect(session.state == .failed && session.message?.contains(words) == true, "\(session)")
    }

    @Test(
        "Pages that cannot be read are passed over",
        arguments: ["pages 3 bad:1", "pages 3 bad:2", "pages 3 bad:0", "pages 9 bad:1 bad:3 bad:5"])
    func pages(command: String) throws {
        // The others are read, and say nothing of a person.
        #expect(try Self.session(of: command).message?.contains("does not look like a résumé") == true)
    }

    @Test("A file that crashes its reader twice ends its session, and no try is made again")
    func crash() throws {
        let session = try Self.session(of: "crash 11")
        #expect(session.state == .failed && session.message?.contains("is damaged") == true, "\(session)")
    }
}
