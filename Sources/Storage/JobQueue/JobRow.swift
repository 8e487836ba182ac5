internal import Media

/// Converts jobs and attempts to and from rows.
enum JobRow {
    /// The text columns of a job. SQLite reads them as bytes, because a value there may not be text (`SQLiteRow`).
    private static let texts: Set = [
        "kind", "source_type", "source", "digest", "recipes", "state", "failure", "lease_token", "lease_worker",
        "worker",
        "\"end\"", "timings", "party",
    ]

    /// The columns of a job, in the order in which `job` reads them.
    static let columns = names.joined(separator: ", ")

    /// The number of `columns`.
    static let columnCount = names.count

    /// The columns of an attempt, in the order in which `attempt` reads them.
    static let attemptColumns = attemptNames.joined(separator: ", ")

    /// `columns` as SQLite selects them.
    static let columnsAsBytes = asBytes(names)

    /// `attemptColumns` as SQLite selects them.
    static let attemptColumnsAsBytes = asBytes(attemptNames)

    private static func asBytes(_ names: [String]) -> String {
        names.map { texts.contains($0) ? "CAST(\($0) AS BLOB) AS \($0)" : $0 }.joined(separator: ", ")
    }

    private static let names = [
        "id", "kind", "source_type", "source", "digest", "recipes", "priority", "state", "enqueued", "not_before",
        "finished", "failures", "worker_deaths", "alone_deaths", "failure", "lease_token", "lease_worker",
        "lease_claimed", "lease_deadline", "lease_alone", "turn", "party",
    ]
    private static let attemptNames = [
        "number", "worker", "started", "ended", "\"end\"", "failure", "timings", "alone",
    ]

    private static let places = places(names)
    private static let attemptPlaces = places(attemptNames)

    private static func places(_ columns: [String]) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: zip(columns.map { $0.filter { $0 != "\"" } }, 0...))
    }

    private static let times = 0...QueueInstant.latest.milliseconds
    private static let counts: ClosedRange<Int64> = 0...1_000_000_000

    /// A job from a row of `columns`. `unreadable` lists each column that cannot be read.
    static func job(_ row: any StoredRow) -> Job {
        var reader = RowReader(row, places)
        let state = reader.value("state", or: JobState.dead) { JobState(rawValue: $0) }
        let location = reader.value("source", or: "") { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 }
        let isObject = reader.value("source_type", or: false) { ["object": true, "path": false][$0] }
        let id = JobID(rawValue: reader.integer("id", .min ... .max))
        let kind = reader.value("kind", or: JobKind.unreadable) { JobKind(rawValue: $0) }
        var job = Job(
            id: id, kind: kind,
            source: isObject ? .object(location) : .outside(location),
            digest: reader.valueIfThere("digest") { Digest(hex: $0) }, recipes: recipes(&reader, of: kind),
            priority: Priority(rawValue: Int(reader.integer("priority", 0...2, or: 2))) ?? .backfill, state: state,
            enqueued: instant(&reader, "enqueued"), notBefore: instant(&reader, "not_before"),
            turn: instant(&reader, "turn"), party: reader.valueIfThere("party") { $0 },
            finished: finished(&reader, state), failureCount: Int(reader.integer("failures", counts)),
            workerDeathCount: Int(reader.integer("worker_deaths", counts)),
            aloneDeathCount: Int(reader.integer("alone_deaths", counts)), lastFailure: failure(reader),
            lease: state == .leased ? lease(&reader) : nil)
        job.unreadable = reader.unreadable
        return job
    }

    /// An attempt from a row of `attemptColumns`; a column that cannot be read gets a harmless value.
    static func attempt(_ row: any StoredRow) -> Attempt {
        var reader = RowReader(row, attemptPlaces)
        return Attempt(
            number: Int(reader.integer("number", counts)), worker: reader.value("worker", or: "?") { $0 },
            started: instant(&reader, "started"), isAlone: reader.integer("alone", 0...1) == 1,
            ended: reader.integerIfThere("ended", times).map(QueueInstant.init(milliseconds:)),
            end: reader.valueIfThere("end") { Attempt.End(rawValue: $0) }, failure: failure(reader),
            timings: reader.valueIfThere("timings", timings) ?? [])
    }

    private static func instant(_ reader: inout RowReader, _ column: String) -> QueueInstant {
        QueueInstant(milliseconds: reader.integer(column, times))
    }

    private static func finished(_ reader: inout RowReader, _ state: JobState) -> QueueInstant? {
        state.isUnfinished
            ? reader.integerIfThere("finished", times).map(QueueInstant.init(milliseconds:))
            : instant(&reader, "finished")
    }

    private static func lease(_ reader: inout RowReader) -> Job.Lease {
        Job.Lease(
            token: LeaseToken(hex: reader.value("lease_token", or: "") { $0.isEmpty ? nil : $0 }),
            worker: reader.value("lease_worker", or: "") { $0 }, claimed: instant(&reader, "lease_claimed"),
            deadline: instant(&reader, "lease_deadline"), isAlone: reader.integer("lease_alone", 0...1) == 1)
    }
}

extension JobRow {
    /// The canonical forms of recipes as a JSON array.
    static func text(_ recipes: [Recipe]) -> String { JSON.array(recipes.map { .string($0.canonical) }).text }

    /// No recipes if any of them cannot be read: a job is made whole or not at all.
    private static func recipes(_ reader: inout RowReader, of kind: JobKind) -> [Recipe] {
        reader.value("recipes", or: []) { text in
            guard let stored = (try? JSON(parsing: Array(text.utf8)))?.array,
                !stored.isEmpty || kind != .renditions
            else { return nil }
            let recipes = stored.compactMap { $0.string.flatMap { Recipe(canonical: $0) } }
            return recipes.count == stored.count ? recipes : nil
        }
    }

    static func text(_ failure: Failure) -> String {
        JSON.object([
            "code": .string(failure.code.rawValue), "message": .string(failure.message),
            "detail": .string(failure.detail),
        ]).text
    }

    /// A failure that cannot be read does not bury the job. The failure's detail then names the damaged column.
    private static func failure(_ reader: RowReader) -> Failure? {
        var reader = reader
        let noted = reader.unreadable.count
        if let failure = reader.valueIfThere("failure", failure) { return failure }
        let found = Array(reader.unreadable[noted...])
        return found.isEmpty ? nil : Failure(.unavailable, detail: found.text)
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

    private static func timings(_ text: String) -> [Attempt.Timing]? {
        (try? JSON(parsing: Array(text.utf8)))?.members?.compactMap { member in
            member.value.number.flatMap { $0.isFinite ? Attempt.Timing(step: member.key, milliseconds: $0) : nil }
        }
    }
}

extension Job {
    /// The failure of a job that cannot be read; it says what the columns held.
    var unreadableReason: Failure {
        Failure(
            .unavailable, message: "The queue cannot read this job. Queue its file again.",
            detail: unreadable.text + " (damage, or another version of this program)")
    }
}
