internal import Media
package import Objects

/// A path in the bucket, as clients may choose it.
package enum BucketPath {
    /// Joins names to a path, which keeps their bytes unchanged.
    ///
    /// - Throws: `InvalidKey` if the path is empty or too long, or has an empty name, `.`, `..` or a control character.
    package static func parse(_ names: some Collection<String>) throws(FileError) -> ObjectPath {
        let text = names.joined(separator: "/")
        do throws(ObjectError) { return try ObjectPath(text) } catch { throw .invalidKey(text) }
    }
}

extension ObjectPath {
    /// The person whose ID is the path's first name; `nil` for any other path.
    var owner: ID<Person>? {
        let names = names
        guard names.count > 1, let owner = ID<Person>(names[0]), isBelow(owner.text) else { return nil }
        return owner
    }
}
