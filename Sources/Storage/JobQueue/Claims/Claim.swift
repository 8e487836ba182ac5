/// One worker's claim: which jobs it gets, and which of them alone. All drivers share these rules.
struct Claim {
    let worker: String
    let lease: Duration
    let lowest: Priority
    /// The parties whose jobs are skipped.
    let passedParties: Set<String>
    let now: QueueInstant
    let policy: QueuePolicy

    /// Leases up to `limit` jobs.
    func run<Store: ClaimingStore>(
        upTo limit: Int, in store: inout Store
    ) throws -> [ClaimedJob] {
        let (heldCount, isAlone) = try store.holdings(of: worker)
        if isAlone || limit < 1 { return [] }
        let reservations = try binding(in: &store)
        if let own = reservations.own, own.phase(at: now, policy) == .binding {
            if let priority = try store.priorityIfWaiting(own.job, at: now) {
                guard heldCount == 0, priority >= lowest else { return [] }
                try store.setReservation(nil, of: worker)
                return try take(own.job, after: try store.claimCount(downTo: lowest), in: &store).map { [$0] } ?? []
            }
            try store.setReservation(nil, of: worker)
        }
        var claimed: [ClaimedJob] = []
        while claimed.count < limit {
            let isBusy = heldCount + claimed.count > 0
            let claimCount = try store.claimCount(downTo: lowest)
            // An idle worker takes a suspected job immediately, even if another worker has reserved it.
            let turn = Turn(
                lowest: lowest, isFair: isFairTurn(after: claimCount),
                passedOver: isBusy ? reservations.others : [], passesSuspects: isBusy && reservations.hasMissed,
                passedParties: passedParties)
            guard let next = try store.next(turn, at: now) else { break }
            if next.isSuspected && isBusy {
                try store.setReservation(Reservation(worker: worker, job: next.id, made: now), of: worker)
                break
            }
            guard let job = try take(next.id, after: claimCount, in: &store) else { continue }
            claimed.append(job)
            if job.isAlone { break }
        }
        return claimed
    }

    /// Whether the claim after `claimCount` others takes the job that has waited longest.
    func isFairTurn(after claimCount: Int) -> Bool { (claimCount &+ 1) % policy.fairTurn == 0 }

    private func take<Store: ClaimingStore>(
        _ id: JobID, after claimCount: Int, in store: inout Store
    ) throws -> ClaimedJob? {
        guard let job = try store.lease(id, to: worker, for: lease, at: now) else { return nil }
        try store.setClaimCount(claimCount &+ 1, downTo: lowest)
        if let party = job.party {
            try store.moveUp(party, at: job.priority, to: PartyLine.turn(after: job.turn, at: now))
        }
        return ClaimedJob(job)
    }

    /// The reservations, from this worker's point of view.
    private struct Reservations {
        var own: Reservation?
        var hasMissed = false
        var others: Set<JobID> = []
    }

    private func binding<Store: ClaimingStore>(in store: inout Store) throws -> Reservations {
        var found = Reservations()
        for reservation in try store.reservations() {
            switch (reservation.phase(at: now, policy), reservation.worker == worker) {
            case (.over, _): try store.setReservation(nil, of: reservation.worker)
            case (.binding, true): found.own = reservation
            case (.missed, true): found.hasMissed = true
            case (.binding, false): found.others.insert(reservation.job)
            case (.missed, false): break
            }
        }
        return found
    }
}
