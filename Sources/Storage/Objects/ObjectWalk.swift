/// The objects of a store, one after another. Objects that are added or removed meanwhile may or may not appear. For
/// one thread at a time.
public protocol ObjectWalk: AnyObject {
    /// The next objects.
    ///
    /// - Returns: some of the objects, perhaps none; `nil` at the end.
    func next() throws(ObjectError) -> [ObjectStatus]?
}
