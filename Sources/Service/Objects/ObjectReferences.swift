/// Tells which objects rows name. A store asks it before it removes an object of its own accord, so that whatever is stored beside the
/// objects decides nothing alone.
public protocol ObjectReferences: Sendable {
    /// Whether a row names the object at a path, be the row readable or not. It may block.
    ///
    /// - Throws: `unavailable` if nobody can tell; then nothing is removed.
    func isReferenced(_ path: ObjectPath) throws(ObjectError) -> Bool
}

extension ObjectReferences {
    /// Before an object comes to a path: bytes never become those of a document that has lost its own.
    ///
    /// - Throws: `referenced` if a row names the path; `taken` where nothing may be replaced anyway.
    package func requireUnnamed(_ path: ObjectPath, replacing: Bool) throws(ObjectError) {
        guard try isReferenced(path) else { return }
        throw replacing ? .referenced : .taken
    }
}

/// No rows: of a store whose objects belong to nothing, such as a backup, and of programs that remove nothing.
public struct NoReferences: ObjectReferences {
    /// No rows.
    public init() {}

    /// Never.
    public func isReferenced(_ path: ObjectPath) throws(ObjectError) -> Bool { false }
}

extension ObjectReferences where Self == NoReferences {
    /// No rows name the objects.
    public static var none: NoReferences { NoReferences() }
}
