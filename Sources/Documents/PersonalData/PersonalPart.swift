public import Media

/// What a part of the service keeps about people besides documents and accounts: for their archive, and for their
/// removal.
public struct PersonalPart: Sendable {
    /// A thing that belongs to a person.
    public struct Thing: Sendable {
        /// A file that belongs to it.
        public typealias File = (path: String, stored: Instant, object: ObjectID)

        let name: String
        let file: File?
        let record: @Sendable () throws -> JSON?

        /// - Parameters:
        ///   - name: its name in `missing.json`.
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
    ///   - kind: the kind of its things in `missing.json`.
    ///   - listName: the name of the list in the archive.
    ///   - things: returns a person's things in order, and the names of unreadable ones.
    ///   - removeAll: removes a person's things, with their files.
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
