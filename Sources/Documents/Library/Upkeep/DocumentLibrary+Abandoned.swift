package import Documents
internal import Linux
internal import Media
internal import Objects
internal import Synchronization

extension DocumentLibrary {
    /// Ends the arrivals of files whose request has ended without doing so, as when its process was killed: their bytes go, and their room.
    ///
    /// A request has its file locked until the file is an object, which gets its row within seconds. So an incoming file that nobody has locked is
    /// abandoned, and so is an arrival without an incoming file in two calls, between which there must be a minute.
    ///
    /// - Parameter age: younger arrivals are left alone. Of those that are older than a day one look is enough.
    /// - Returns: how many there were.
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
                // One that cannot be asked about keeps no other.
                if error != .busy { warn(DocumentError(error)) }
            }
        }
        if !isEnough { missingIntakes.withLock { $0 = missing } }
        return count
    }
}
