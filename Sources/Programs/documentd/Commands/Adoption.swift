import Console
import Daemon
import DocumentDatabase
import Documents
import Library
import Linux
import Media
import Objects
import SupabaseWire

/// Takes over the rows of the app's former tables, one after another, and says what was left out.
struct Adoption {
    let store: SQLDocumentStore
    let library: DocumentLibrary
    private let isInterrupted = Promise<Void>()

    init(store: SQLDocumentStore, library: DocumentLibrary) {
        self.store = store
        self.library = library
    }

    /// - Returns: the command's exit status.
    func run() throws -> Int32 {
        guard try store.hasFormerTables() else {
            say("There are no former tables: nothing to take over.")
            return 0
        }
        try Process.interrupts { [isInterrupted] in isInterrupted.fulfil(()) }
        let lists = try store.adoptSchoolsAndTemplates()
        for id in lists.leftOut { complain(id, "a school or template that cannot be read, or is there already") }
        say("\(lists.count) schools and templates taken over")
        let waiting = try store.formerDocumentCount()
        var (count, leftOut) = (0, 0)
        reading: while true {
            let rows = try store.formerDocuments(limit: 100, leftOut: leftOut)
            if rows.isEmpty { break }
            for (id, row) in rows {
                if isInterrupted.current != nil { break reading }
                if let reason = adopt(row) {
                    complain(id, reason)
                    leftOut += 1
                } else {
                    count += 1
                    if count.isMultiple(of: 1000) { say("\(count) of \(waiting) documents") }
                }
            }
        }
        let left = waiting - count - leftOut
        say("\(count) documents taken over, \(leftOut) left out\(left > 0 ? ", \(left) not looked at yet" : "")")
        if isInterrupted.current != nil { return 130 }
        return leftOut + lists.leftOut.count > 0 ? 1 : 0
    }

    /// - Returns: why the row was left out; `nil` where it is a document now.
    private func adopt(_ row: Result<FormerDocument, FormerRowFault>) -> String? {
        do throws(FormerRowFault) {
            return adopt(try row.get())
        } catch {
            return "\(error)"
        }
    }

    private func adopt(_ former: FormerDocument) -> String? {
        guard let text = FileAddresses.path(former.fileAddress), let path = try? ObjectPath(text) else {
            return "file_url names no file of the bucket: \(FilePath(former.fileAddress).shown)"
        }
        do throws(DocumentError) {
            let (file, facts) = try library.describe(path)
            try store.adopt(former, file: file, facts: facts, state: library.firstState)
            return nil
        } catch {
            return "\(error) (\(FilePath(text).shown))"
        }
    }

    private func say(_ line: String) { StandardStream.write("\(line)\n", to: 1) }

    private func complain(_ id: String, _ reason: String) {
        StandardStream.write("documentd: \(FilePath(id).shown): left out: \(reason)\n", to: 2)
    }
}
