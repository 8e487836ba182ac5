internal import Linux
internal import Objects
internal import S3
internal import Synchronization

extension BucketIncoming {
    func commit(to path: ObjectPath, replacing: Bool) throws(ObjectError) -> StoredObject {
        var held: Held?
        defer { withExtendedLifetime(held) {} }
        return try state.withLock { state throws(ObjectError) in
            let sums = try seal(&state)
            let turn = try store.turn(at: path)
            defer { withExtendedLifetime(turn) {} }
            try requireLock(state)
            let key = try store.keys.file(path)
            try store.references.requireUnnamed(path, replacing: replacing)
            let isThere = state.isComplete && state.record.path == path
            let replaced = isThere ? nil : try store.existing(key)
            guard replacing || replaced == nil else { throw .taken }
            if !isThere { try write(state, sums, to: key) }
            let object = try asking { () throws(S3Fault) in try store.client.status(of: key) }
            guard object.byteCount == sums.byteCount, !isThere || ContentSums.id(in: object.metadata) == id.rawValue
            else { throw ObjectError(S3Fault.truncated("\(object.byteCount) bytes of \(sums.byteCount) were stored")) }
            if let replaced { try? store.removeSums(of: replaced) }
            if isThere {
                // As long as the record is there, a sweep would take the object for one that nobody has committed.
                try asking { () throws(S3Fault) in try store.client.remove(store.keys.record(id)) }
            } else {
                // It is the object from now on; a sweep finds what cannot be removed here.
                try? remove(state)
            }
            held = letGo(&state)
            return StoredObject(
                path: path, digest: sums.digest, byteCount: sums.byteCount, modified: object.modified)
        }
    }

    private func write(_ state: State, _ sums: ContentSums, to key: String) throws(ObjectError) {
        let metadata = try store.storeSums(sums)
        try asking { () throws(S3Fault) in
            if state.isInParts {
                let data = store.keys.data(state.record, id)
                let received = try store.client.status(of: data)
                guard received.byteCount == sums.byteCount else {
                    throw .truncated("\(received.byteCount) bytes of \(sums.byteCount) arrived")
                }
                try store.client.copy(data, received, to: key, metadata: metadata)
            } else {
                defer { withExtendedLifetime(state.current) {} }
                let body = state.current?.body ?? S3Body(UnsafeRawBufferPointer(start: nil, count: 0))
                try store.client.put(body, as: key, metadata: metadata)
            }
        }
    }

    func discard() throws(ObjectError) {
        var held: Held?
        defer { withExtendedLifetime(held) {} }
        try state.withLock { state throws(ObjectError) in
            guard state.lock != nil else { return }
            try requireLock(state)
            if let sending = state.sending {
                (state.record.upload, state.record.path) = { ($0.upload, $0.path) }(sending.wait().record)
                state.sending = nil
            }
            state.waiting = []
            try remove(state)
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
        let key = store.keys.data(state.record, id)
        if let upload = state.record.upload {
            if !state.isComplete {
                try asking { () throws(S3Fault) in _ = try store.client.abortParts(of: upload, key) }
            }
            if state.record.sealed != nil { try removeData(state, key) }
        }
        guard state.recordedByteCount != nil || state.hasFailed else { return }
        try asking { () throws(S3Fault) in try store.client.remove(store.keys.record(id)) }
    }

    /// At an intended path another one's object may lie by now, or this one's, committed: a record can be there again after its removal. So
    /// the path's object goes the way of all objects, which asks for rows.
    ///
    /// Its sums stay if no object is there: the file may have been moved, and they are the file's then. Not every store says truly whether an
    /// upload that is given up had become a file.
    private func removeData(_ state: State, _ key: String) throws(ObjectError) {
        guard let path = state.record.path else {
            return try asking { () throws(S3Fault) in try store.client.remove(key) }
        }
        guard try isOwn(store.existing(key)) else { return }
        try store.remove(path) { (try? isOwn(store.existing(key))) == true }
    }

    private func isOwn(_ object: S3Object?) -> Bool {
        object.map { ContentSums.id(in: $0.metadata) == id.rawValue } ?? false
    }
}
