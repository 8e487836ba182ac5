public import Media

/// What a part of the service keeps of people besides documents and accounts: for their archive, and for their removal.
public struct PersonalPart: Sendable {
    /// Something of a person's.
    public struct Thing: Sendable {
        /// A file that belongs to it.
        public typealias File = (path: String, stored: Instant, object: ObjectID)

        let name: String
        let file: File?
        let record: @Sendable () throws -> JSON?

        /// - Parameters:
        ///   - name: what `missing.json` calls it.
        ///   - file: its file, with the place in the archive.
        ///   - record: its row in the archive's list; `nil` if it cannot be read.
        public init(name: String, file: File?, record: @escaping @Sendable () throws -> JSON?) {
            self.name = name
            self.file = file
            self.record = record
        }
    }

    let kind: String
    let listName: String
    let things: @Sendable (ID<Person>) throws -> (found: [Thing], unreadable: [String])
    let removeAll: @Sendable (ID<Person>) throws -> Void

    /// - Parameters:
    ///   - kind: what `missing.json` calls a thing's kind.
    ///   - listName: the name of the list in the archive.
    ///   - things: those of a person in their order, and the names of those that cannot be read.
    ///   - removeAll: removes those of a person, with their files.
    public init(
        kind: String, listName: String,
        things: @escaping @Sendable (ID<Person>) throws -> (found: [Thing], unreadable: [String]),
        removeAll: @escaping @Sendable (ID<Person>) throws -> Void
    ) {
        self.kind = kind
        self.listName = listName
        self.things = things
        self.removeAll = removeAll
    }
}
