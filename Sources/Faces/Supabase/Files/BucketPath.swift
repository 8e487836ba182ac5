internal import Media
package import Objects

/// A path in the bucket, as clients may choose it.
package enum BucketPath {
    /// Joins names to a path, which is kept byte for byte.
    ///
    /// - Throws: `InvalidKey` for a path that is empty or too long, has an empty name, `.` or `..`, or a control character.
    package static func parse(_ names: some Collection<String>) throws(FileError) -> ObjectPath {
        let text = names.joined(separator: "/")
        do throws(ObjectError) { return try ObjectPath(text) } catch { throw .invalidKey(text) }
    }
}

extension ObjectPath {
    /// The person below whose identity the path lies; `nil` for a path elsewhere.
    var owner: ID<Person>? {
        let names = names
        guard names.count > 1, let owner = ID<Person>(names[0]), isBelow(owner.text) else { return nil }
        return owner
    }
}
