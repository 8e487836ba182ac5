internal import GRDB
internal import Media

/// Jobs and attempts as rows.
enum JobRow {
    static let columns = """
        id, kind, source_type, source, digest, recipes, priority, state, enqueued, not_before, finished, failures, \
        worker_deaths, failure, lease_token, lease_worker, lease_claimed, lease_deadline
        """

    /// A job from a row of `columns`. Recipes of another version's writing leave `recipes` empty; anything else that
    /// cannot be read is damage.
    static func job(_ row: Row) throws(QueueError) -> Job {
        guard let kind = JobKind(rawValue: row[1]), let priority = Priority(rawValue: row[6]),
            let state = JobState(rawValue: row[7])
        else { throw .unavailable(.corrupt, detail: "job \(row[0] as Int64) is unreadable") }
        let location: String = row[3]
        return Job(
            id: JobID(rawValue: row[0]), kind: kind,
            source: row[2] == "object" ? .object(location) : .path(location),
            digest: (row[4] as String?).flatMap { Digest(hex: $0) }, recipes: recipes(row[5]), priority: priority,
            state: state, enqueued: QueueInstant(milliseconds: row[8]), notBefore: QueueInstant(milliseconds: row[9]),
            finished: instant(row[10]), failureCount: row[11], workerDeathCount: row[12],
            lastFailure: (row[13] as String?).flatMap(failure), lease: lease(row))
    }

    private static func lease(_ row: Row) -> Job.Lease? {
        guard let token: String = row[14], let deadline: Int64 = row[17] else { return nil }
        return Job.Lease(
            token: LeaseToken(hex: token), worker: row[15] ?? "", claimed: QueueInstant(milliseconds: row[16] ?? 0),
            deadline: QueueInstant(milliseconds: deadline))
    }

    /// An attempt from a row of number, worker, started, ended, end, failure, timings.
    static func attempt(_ row: Row) -> Attempt {
        Attempt(
            number: row[0], worker: row[1], started: QueueInstant(milliseconds: row[2]), ended: instant(row[3]),
            end: (row[4] as String?).flatMap(Attempt.End.init(rawValue:)),
            failure: (row[5] as String?).flatMap(failure), timings: timings(row[6]))
    }

    private static func instant(_ value: Int64?) -> QueueInstant? { value.map(QueueInstant.init(milliseconds:)) }
}

extension JobRow {
    /// The recipes' canonical forms.
    static func text(_ recipes: [Recipe]) -> String { JSON.array(recipes.map { .string($0.canonical) }).text }

    /// Empty where any of them cannot be read: half of a job is none.
    private static func recipes(_ text: String) -> [Recipe] {
        let stored = (try? JSON(parsing: Array(text.utf8)))?.array ?? []
        let recipes = stored.compactMap { $0.string.flatMap { Recipe(canonical: $0) } }
        return recipes.count == stored.count ? recipes : []
    }

    static func text(_ failure: Failure) -> String {
        JSON.object([
            "code": .string(failure.code.rawValue), "message": .string(failure.message),
            "detail": .string(failure.detail),
        ]).text
    }

    private static func failure(_ text: String) -> Failure? {
        guard let json = try? JSON(parsing: Array(text.utf8)),
            let code = json["code"]?.string.flatMap(Failure.Code.init(rawValue:))
        else { return nil }
        return Failure(code, message: json["message"]?.string, detail: json["detail"]?.string ?? "")
    }

    static func text(_ timings: [Attempt.Timing]) -> String {
        JSON.object(timings.map { JSON.Member($0.step, .number($0.milliseconds)) }).text
    }

    private static func timings(_ text: String) -> [Attempt.Timing] {
        ((try? JSON(parsing: Array(text.utf8)))?.members ?? []).compactMap { member in
            member.value.number.map { Attempt.Timing(step: member.key, milliseconds: $0) }
        }
    }
}
