import Console
import JobQueue
import Media

extension Job {
    /// The object that `--json` prints; times are UTC.
    var json: JSON {
        .object([
            "job": .integer(id.rawValue), "kind": .string(kind.rawValue), "state": .string(state.rawValue),
            "priority": .string(priority.name), "source": .string(source.location),
            "digest": digest.map { .string($0.hex) },
            "recipes": .array(recipes.map { .string($0.readableName) }),
            "enqueued": .string(Moment.universal(enqueued)), "notBefore": .string(Moment.universal(notBefore)),
            "finished": finished.map { .string(Moment.universal($0)) },
            "failures": .integer(Int64(failureCount)), "workerDeaths": .integer(Int64(workerDeathCount)),
            "aloneDeaths": .integer(Int64(aloneDeathCount)), "suspected": .bool(isSuspected),
            "unreadable": unreadable.isEmpty ? nil : .string(unreadable.text),
            "failure": lastFailure?.json ?? .null,
            "lease": lease.map { lease in
                .object([
                    "worker": .string(lease.worker), "claimed": .string(Moment.universal(lease.claimed)),
                    "deadline": .string(Moment.universal(lease.deadline)), "alone": .bool(lease.isAlone),
                ])
            },
        ])
    }
}

extension Attempt {
    /// The member of `attempts` that `--json` prints; times are UTC.
    var json: JSON {
        .object([
            "number": .integer(Int64(number)), "worker": .string(worker), "started": .string(Moment.universal(started)),
            "ended": ended.map { .string(Moment.universal($0)) }, "end": end.map { .string($0.rawValue) },
            "alone": .bool(isAlone),
            "failure": failure?.json ?? .null,
            "timings": .object(timings.map { JSON.Member($0.step, .number($0.milliseconds)) }),
        ])
    }
}

extension Priority {
    /// The priority's word in flags, tables and JSON.
    var name: String {
        switch self {
        case .interactive: "interactive"
        case .upload: "upload"
        case .backfill: "backfill"
        }
    }
}
