internal import JobQueue
internal import JobSearch
package import Media
internal import PostgreSQL
package import PostingDatabase
package import SearchDatabase
internal import Synchronization
internal import Thumbnailer
package import Worker

extension RenderingEngine {
    /// Carries out searches for jobs by résumés, whose tables lie beside the queue's; they are opened with the first one.
    package func resumeWork(beside queue: JobDatabase) -> Worker.Work {
        let engine = engineWithoutCache
        let opened = Mutex<ResumeWork?>(nil)
        return { job, open throws(Failure) in
            let work: ResumeWork = try opened.withLock { known throws(Failure) in
                if let known { return known }
                let work = try Self.work(beside: queue, engine)
                known = work
                return work
            }
            try work.perform(job.source.location, open)
        }
    }

    private static func work(beside queue: JobDatabase, _ engine: Thumbnailer) throws(Failure) -> ResumeWork {
        ResumeWork(try queue.searches(), try queue.postings(), engine: engine)
    }
}

extension JobDatabase {
    /// The searches for jobs beside the queue.
    ///
    /// - Throws: `unavailable`.
    package func searches() throws(Failure) -> SQLSearchStore {
        do throws(SearchError) {
            if let server { return try SQLSearchStore(server.database, server.notifier) }
            return try SQLSearchStore(path: name)
        } catch {
            throw Failure(.unavailable, message: "The database \(name) cannot be used.", detail: "\(error)")
        }
    }

    /// The postings beside the queue.
    ///
    /// - Throws: `unavailable`.
    package func postings() throws(Failure) -> SQLPostingStore {
        do throws(PostingError) {
            if let server { return try SQLPostingStore(server.database) }
            return try SQLPostingStore(path: name)
        } catch {
            throw Failure(.unavailable, message: "The database \(name) cannot be used.", detail: "\(error)")
        }
    }
}
