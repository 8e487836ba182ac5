internal import Objects
internal import S3
internal import Synchronization

extension BucketIncoming {
    func commit(to path: ObjectPath, replacing: Bool) throws(ObjectError) -> StoredObject {
        try state.withLock { state throws(ObjectError) in
            let sums = try seal(&state)
            let turn = try store.turn(at: path)
            defer { withExtendedLifetime(turn) {} }
            let key = try store.keys.file(path)
            let replaced = try store.existing(key)
            guard replacing || replaced == nil else { throw .taken }
            try write(state, sums, to: key)
            let object = try asking { () throws(S3Fault) in try store.client.status(of: key) }
            guard object.byteCount == sums.byteCount else {
                throw ObjectError(S3Fault.truncated("\(object.byteCount) bytes of \(sums.byteCount) were stored"))
            }
            if let replaced { try? store.removeSums(of: replaced) }
            // It is the object from now on; a sweep finds what cannot be removed here.
            try? remove(state)
            state.lock = nil
            return StoredObject(
                path: path, digest: sums.digest, byteCount: sums.byteCount, modified: object.modified)
        }
    }

    private func write(_ state: State, _ sums: ContentSums, to key: String) throws(ObjectError) {
        let metadata = try store.storeSums(sums)
        try asking { () throws(S3Fault) in
            if state.isInParts {
                let received = try store.client.status(of: store.keys.received(id))
                guard received.byteCount == sums.byteCount else {
                    throw .truncated("\(received.byteCount) bytes of \(sums.byteCount) arrived")
                }
                try store.client.copy(store.keys.received(id), received, to: key, metadata: metadata)
            } else {
                try state.record.tail.withUnsafeBytes { bytes in
                    Result { () throws(S3Fault) in
                        try store.client.put(bytes, as: key, digest: sums.digest, metadata: metadata)
                    }
                }.get()
            }
        }
    }

    func discard() throws(ObjectError) {
        try state.withLock { state throws(ObjectError) in
            guard state.lock != nil else { return }
            if let sending = state.sending {
                state.record.upload = sending.wait().upload
                state.sending = nil
            }
            state.waiting = []
            do throws(S3Fault) { try remove(state) } catch { throw ObjectError(error) }
            state.lock = nil
        }
    }

    /// Removes all that the store has of the arrival; the record, by which a sweep finds the rest, comes last.
    private func remove(_ state: State) throws(S3Fault) {
        if let upload = state.record.upload {
            if !state.isComplete { try store.client.abortParts(of: upload, store.keys.received(id)) }
            if state.record.sealed != nil { try store.client.remove(store.keys.received(id)) }
        }
        if state.recordedByteCount != nil || state.hasFailed { try store.client.remove(store.keys.record(id)) }
    }
}
