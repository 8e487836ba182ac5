/// The objects of a store one after another. What comes or goes meanwhile may show or not. Used by one thread at a time.
public protocol ObjectWalk: AnyObject {
    /// The next objects.
    ///
    /// - Returns: some of them, perhaps none; `nil` at the end.
    func next() throws(ObjectError) -> [ObjectStatus]?
}
