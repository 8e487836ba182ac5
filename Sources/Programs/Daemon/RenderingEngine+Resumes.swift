internal import Database
internal import JobQueue
internal import MatchStore
internal import Media
internal import Synchronization
package import Worker

extension RenderingEngine {
    /// Carries out job searches by résumé, whose tables are next to the queue's. They are opened with the first search,
    /// and again if another database takes its place.
    package func resumeWork(beside queue: SharedDatabase) -> Worker.Work {
        let engine = engineWithoutCache
        let opened = Mutex<(database: any SQLDatabase, work: ResumeWork)?>(nil)
        return { job, open throws(Failure) in
            let database: any SQLDatabase
            do { database = try queue.opened() } catch { throw queue.unusable(error) }
            let work: ResumeWork
            if let known = opened.withLock({ $0 }), known.database === database {
                work = known.work
            } else {
                work = ResumeWork(try queue.searches(), try queue.postings(), engine: engine)
                opened.withLock { $0 = (database, work) }
            }
            try work.perform(job.source.location, open)
        }
    }
}
