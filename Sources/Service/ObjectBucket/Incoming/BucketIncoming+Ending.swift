internal import Linux
internal import Objects
internal import S3
internal import Synchronization

extension BucketIncoming {
    func commit() throws(ObjectError) {
        var held: Held?
        defer { withExtendedLifetime(held) {} }
        try state.withLock { state throws(ObjectError) in
            let sums = try seal(&state)
            try requireLock(state)
            let key = store.keys.object(id)
            if !state.isComplete {
                let metadata = try store.store(sums, of: id)
                defer { withExtendedLifetime(state.current) {} }
                let body = state.current?.body ?? S3Body(UnsafeRawBufferPointer(start: nil, count: 0))
                try asking { () throws(S3Fault) in try store.client.put(body, as: key, metadata: metadata) }
            }
            let object = try asking { () throws(S3Fault) in try store.client.status(of: key) }
            guard object.byteCount == sums.byteCount else {
                throw ObjectError(S3Fault.truncated("\(object.byteCount) bytes of \(sums.byteCount) were stored"))
            }
            // It is the object from now on; a sweep finds a record that cannot be removed here.
            try? removeRecord(state)
            held = letGo(&state)
        }
    }

    func discard() throws(ObjectError) {
        var held: Held?
        defer { withExtendedLifetime(held) {} }
        try state.withLock { state throws(ObjectError) in
            guard state.lock != nil else { return }
            try requireLock(state)
            if let sending = state.sending {
                state.record.upload = sending.wait().record.upload
                state.sending = nil
            }
            state.waiting = []
            try remove(state)
            held = letGo(&state)
        }
    }

    /// Removes the record alone, and ends the hold: the file is an object.
    func forget() throws(ObjectError) {
        var held: Held?
        defer { withExtendedLifetime(held) {} }
        try state.withLock { state throws(ObjectError) in
            guard state.lock != nil else { return }
            try requireLock(state)
            try removeRecord(state)
            held = letGo(&state)
        }
    }

    func close() throws(ObjectError) {
        var held: Held?
        defer { withExtendedLifetime(held) {} }
        try state.withLock { state throws(ObjectError) in
            guard state.lock != nil else { return }
            defer { held = letGo(&state) }
            try sync(&state)
        }
    }

    /// What an arrival holds. Its end asks the database, and wakes whoever waits for memory: both happen outside of the lock.
    private struct Held {
        let lock: (any ObjectLock)?
        let shares: [MemoryBudget.Share?]
    }

    /// Ends the hold.
    private func letGo(_ state: inout State) -> Held {
        defer { state.lock = nil }
        (state.current, state.waiting) = (nil, [])
        defer { (state.room, state.sendingRoom) = (nil, nil) }
        return Held(lock: state.lock, shares: [state.room, state.sendingRoom])
    }

    /// Removes all that the store has of the arrival; the record, by which a sweep finds the rest, comes last.
    private func remove(_ state: State) throws(ObjectError) {
        if let upload = state.record.upload, !state.isComplete {
            try asking { () throws(S3Fault) in _ = try store.client.abortParts(of: upload, store.keys.object(id)) }
        }
        // Its parts, or a commit whose answer was lost, may have made it an object.
        if state.record.sealed != nil { try store.remove(id) }
        try removeRecord(state)
    }

    private func removeRecord(_ state: State) throws(ObjectError) {
        guard state.recordedByteCount != nil || state.hasFailed else { return }
        try asking { () throws(S3Fault) in try store.client.remove(store.keys.record(id)) }
    }
}
