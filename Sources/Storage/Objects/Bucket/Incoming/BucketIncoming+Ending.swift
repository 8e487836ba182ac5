internal import Linux
internal import Media
internal import S3
internal import Synchronization

extension BucketIncoming {
    func commit() throws(ObjectError) {
        var held: Held?
        defer { withExtendedLifetime(held) {} }
        try state.withLock { state throws(ObjectError) in
            let sums = try seal(&state)
            guard let hold = state.hold else { throw .missing }
            try hold.lock.requireHeld()
            let key = store.keys.object(id)
            if !state.isComplete {
                defer { withExtendedLifetime(state.current) {} }
                let body = state.current?.body ?? S3Body(UnsafeRawBufferPointer(start: nil, count: 0))
                try asking { () throws(S3Fault) in try store.client.put(body, as: key, metadata: sums.metadata) }
            }
            let object = try asking { () throws(S3Fault) in try store.client.status(of: key) }
            guard object.byteCount == sums.byteCount else {
                throw ObjectError(S3Fault.truncated("\(object.byteCount) bytes of \(sums.byteCount) were stored"))
            }
            try endRows(state, hold)
            held = letGo(&state)
        }
    }

    func discard() throws(ObjectError) {
        var held: Held?
        defer { withExtendedLifetime(held) {} }
        try state.withLock { state throws(ObjectError) in
            guard let hold = state.hold else { return }
            try hold.lock.requireHeld()
            if let sending = state.sending {
                state.arrival = sending.wait().arrival
                state.sending = nil
            }
            state.waiting = []
            try store.remove(state.arrival, of: id)
            try endRows(state, hold)
            held = letGo(&state)
        }
    }

    func close() throws(ObjectError) {
        var held: Held?
        defer { withExtendedLifetime(held) {} }
        try state.withLock { state throws(ObjectError) in
            guard state.hold != nil else { return }
            defer { held = letGo(&state) }
            try sync(&state)
        }
    }

    /// The resources of an arrival. Releasing them asks the database, and wakes callers that wait for memory. Both
    /// happen outside the lock.
    private struct Held {
        let hold: Hold?
        let shares: [MemoryBudget.Share?]
    }

    /// Ends the hold.
    private func letGo(_ state: inout State) -> Held {
        defer { state.hold = nil }
        (state.current, state.waiting) = (nil, [])
        defer { (state.room, state.sendingRoom) = (nil, nil) }
        return Held(hold: state.hold, shares: [state.room, state.sendingRoom])
    }

    /// A short file that arrived whole has no rows.
    private func endRows(_ state: State, _ hold: Hold) throws(ObjectError) {
        guard state.arrival.hasRows || state.hasFailed else { return }
        try store.endRows(state.arrival, hold)
    }
}

extension BucketStore {
    /// Removes everything that the bucket has of an incoming file, except its pieces.
    func remove(_ arrival: Arrival, of id: ObjectID) throws(ObjectError) {
        if let upload = arrival.upload {
            try asking { () throws(S3Fault) in _ = try client.abortParts(of: upload, keys.object(id)) }
        }
        // The completed parts, or a commit whose answer was lost, may have made it an object.
        if arrival.sealed != nil { try remove(id) }
    }

    /// Ends an arrival. A sweep finds parts and sums through the rows, and pieces without them.
    func endRows(_ arrival: Arrival, _ hold: BucketIncoming.Hold) throws(ObjectError) {
        try rows.end(hold.id, for: hold.name)
        for piece in [arrival.head, arrival.tail] { removePiece(piece, of: hold.id) }
    }
}
