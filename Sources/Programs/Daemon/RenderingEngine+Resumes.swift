internal import JobQueue
internal import JobSearch
internal import Media
internal import Synchronization
internal import Thumbnailer
package import Worker

extension RenderingEngine {
    /// Carries out searches for jobs by résumés, whose tables lie beside the queue's; they are opened with the first one.
    package func resumeWork(beside queue: SharedDatabase) -> Worker.Work {
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

    private static func work(beside queue: SharedDatabase, _ engine: Thumbnailer) throws(Failure) -> ResumeWork {
        ResumeWork(try queue.searches(), try queue.postings(), engine: engine)
    }
}
