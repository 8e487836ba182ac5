import Console
import Daemon
import Documents
import Library
import Linux
import Media
import Objects
import Supabase

/// Adopts the rows of the app's former tables, one after another, and reports what was left out.
struct Adoption {
    let store: DocumentStore
    let library: DocumentLibrary
    private let isInterrupted = Promise<Void>()

    init(store: DocumentStore, library: DocumentLibrary) {
        self.store = store
        self.library = library
    }

    /// - Returns: the command's exit status.
    func run() throws -> Int32 {
        guard try store.hasFormerTables() else {
            say("There are no tables to adopt.")
            return 0
        }
        try Process.interrupts { [isInterrupted] in isInterrupted.fulfil(()) }
        let lists = try store.adoptSchoolsAndTemplates()
        for id in lists.leftOut { complain(id, "a school or template that cannot be read, or already exists") }
        say("\(lists.count) schools and templates adopted")
        let waiting = try store.formerDocumentCount()
        // `unreached` counts rows in succession whose file or row was unreachable.
        var (count, leftOut, unreached, last) = (0, 0, 0, Int64(0))
        var answerCount = 0
        reading: while true {
            let page = try store.formerDocuments(behind: last, limit: 100)
            if page.isEmpty { break }
            for former in page {
                if isInterrupted.current != nil || unreached == Self.mostUnreached { break reading }
                last = former.place
                if let reason = adopt(former.row) {
                    unreached = reason.isUnreached ? unreached + 1 : 0
                    complain(former.id, reason.text)
                    try store.leaveOut(former, because: reason.text)
                    leftOut += 1
                    if unreached == Self.mostUnreached, answerCount < Self.mostAnswers, isWell() {
                        (unreached, answerCount) = (0, answerCount + 1)
                    }
                } else {
                    (count, unreached, answerCount) = (count + 1, 0, 0)
                    if count.isMultiple(of: 1000) { say("\(count) of \(waiting) documents") }
                }
            }
        }
        let left = waiting - count - leftOut
        say("\(count) documents adopted, \(leftOut) skipped\(left > 0 ? ", \(left) not checked yet" : "")")
        if isInterrupted.current != nil { return 130 }
        if unreached == Self.mostUnreached {
            throw Failure(
                .unavailable,
                message: """
                    \(unreached) files in a row cannot be reached. Run the command again when store and database are reachable.
                    """)
        }
        return leftOut + lists.leftOut.count > 0 ? 1 : 0
    }

    /// A single file may be unreachable, such as a link in a folder or a damaged object. After this many in a row the
    /// store is checked: if it does not answer, the remaining files are unreachable, too.
    private static let mostUnreached = 3
    /// A store may answer the check and still deliver no file. After this many answers without a file between them the
    /// command ends.
    private static let mostAnswers = 10

    private func isWell() -> Bool {
        do throws(DocumentError) {
            try library.checkAdopting()
            return true
        } catch {
            StandardStream.write("documentd: \(error)\n", to: 2)
            return false
        }
    }

    /// Why a row was left out.
    private struct Reason {
        let text: String
        /// Whether the fault is the store's or the database's, not the row's.
        var isUnreached = false
    }

    /// - Returns: why the row was left out; `nil` if it is a document now.
    private func adopt(_ row: Result<FormerDocument, FormerRowFault>) -> Reason? {
        do throws(FormerRowFault) {
            return adopt(try row.get())
        } catch {
            return Reason(text: "\(error)")
        }
    }

    private func adopt(_ former: FormerDocument) -> Reason? {
        guard let text = FileAddresses.path(former.fileAddress), let path = try? ObjectPath(text) else {
            return Reason(text: "file_url does not name a file in the bucket: \(FilePath(former.fileAddress).shown)")
        }
        // No row gives a person another person's file.
        guard path.isBelow(former.owner.text) else {
            return Reason(text: "file_url names another person's file: \(FilePath(text).shown)")
        }
        do throws(DocumentError) {
            let (file, facts, state) = try library.adopt(path, of: former.owner)
            do throws(DocumentError) {
                try store.adopt(former, file: file, facts: facts, state: state)
            } catch {
                if let object = file.object { library.endIntake(of: object, leavesBytes: true) }
                throw error
            }
            return nil
        } catch {
            return Reason(text: "\(error) (\(FilePath(text).shown))", isUnreached: error.isUnreached)
        }
    }

    private func say(_ line: String) { StandardStream.write("\(line)\n", to: 1) }

    private func complain(_ id: String, _ reason: String) {
        StandardStream.write("documentd: \(FilePath(id).shown): skipped: \(reason)\n", to: 2)
    }
}

extension DocumentError {
    /// Whether the next row may fail in the same way.
    fileprivate var isUnreached: Bool {
        switch self {
        case .unavailable, .full: true
        default: false
        }
    }
}
