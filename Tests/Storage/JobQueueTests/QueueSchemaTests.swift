import JobQueue
import TestDeadline
import TestSupport
import Testing

@Suite("QueueSchema and databases of other programs", .deadline)
struct QueueSchemaTests {
    private let folder = try! ScratchFolder()
    private var path: String { "\(folder.path)/queue.sqlite" }

    @Test("A file with another encoding than UTF-8 is refused, and not treated as damaged")
    func encoding() throws {
        try OtherProgram.sqlite(path, "PRAGMA encoding = 'UTF-16le'; CREATE TABLE of_others (x);")
        #expect { try SQLiteQueue.migrate(path: path) } throws: { error in
            if case .unavailable(.other, let detail) = error as? QueueError { detail.contains("UTF-16") } else { false }
        }
    }
}
