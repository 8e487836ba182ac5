package import Documents
internal import Linux
internal import Media
internal import Objects
internal import Synchronization

extension DocumentLibrary {
    /// Ends the arrivals of files whose request has ended without doing so, as when its process was killed. Their bytes
    /// are removed, and their space is freed.
    ///
    /// A request has its file locked until the file is an object, which gets its row within seconds. So an incoming
    /// file without a lock is abandoned. So is an arrival without an incoming file in two calls, which must be a minute
    /// apart.
    ///
    /// - Parameter age: younger arrivals are left alone. For arrivals older than a day, one check is enough.
    /// - Returns: the number of ended arrivals.
    @discardableResult
    package func endAbandonedIntakes(olderThan age: Duration = .seconds(60)) throws(DocumentError) -> Int {
        let isEnough = age >= Self.youngestSweptAge
        let former = missingIntakes.withLock { $0 }
        var count = 0
        var missing: Set<ObjectID> = []
        for object in try store.intakes(olderThan: age) {
            do throws(ObjectError) {
                let isAbandoned = try objects.removeIncoming(object, untouchedFor: .zero)
                if isAbandoned || isEnough || former.contains(object) {
                    endIntake(of: object, leavesBytes: true)
                    count += 1
                } else {
                    missing.insert(object)
                }
            } catch {
                // A file that cannot be checked does not hold up the others.
                if error != .busy { warn(DocumentError(error)) }
            }
        }
        if !isEnough { missingIntakes.withLock { $0 = missing } }
        return count
    }
}
