internal import Objects
internal import S3
internal import Synchronization

extension BucketIncoming {
    func commit(to path: ObjectPath, replacing: Bool) throws(ObjectError) -> StoredObject {
        try state.withLock { state throws(ObjectError) in
            let sums = try seal(&state)
            let turn = try store.turn(at: path)
            defer { withExtendedLifetime(turn) {} }
            try requireLock(state)
            let key = try store.keys.file(path)
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
            state.lock = nil
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
        try state.withLock { state throws(ObjectError) in
            guard state.lock != nil else { return }
            try requireLock(state)
            if let sending = state.sending {
                (state.record.upload, state.record.path) = { ($0.upload, $0.path) }(sending.wait().record)
                state.sending = nil
            }
            state.waiting = []
            do throws(S3Fault) { try remove(state) } catch { throw ObjectError(error) }
            state.lock = nil
        }
    }

    /// Removes all that the store has of the arrival; the record, by which a sweep finds the rest, comes last.
    private func remove(_ state: State) throws(S3Fault) {
        let key = store.keys.data(state.record, id)
        if let upload = state.record.upload {
            if !state.isComplete { try store.client.abortParts(of: upload, key) }
            if state.record.sealed != nil { try removeData(state, key) }
        }
        if state.recordedByteCount != nil || state.hasFailed { try store.client.remove(store.keys.record(id)) }
    }

    /// At an intended path another one's object may lie by now.
    private func removeData(_ state: State, _ key: String) throws(S3Fault) {
        if state.record.path != nil {
            do throws(S3Fault) {
                let found = try store.client.status(of: key)
                guard ContentSums.id(in: found.metadata) == id.rawValue else { return }
            } catch {
                guard error == .missing else { throw error }
            }
            try store.client.remove(store.keys.sums(id.rawValue))
        }
        try store.client.remove(key)
    }
}
