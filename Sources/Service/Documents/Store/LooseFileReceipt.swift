/// An entry of `addLooseFile`.
public struct LooseFileReceipt: Hashable, Sendable {
    /// Where the file lies in the bucket.
    public let path: String
    /// The text that the entry has, and no other.
    public let text: String
    /// The entry of the file that was at the path before; `nil` for none.
    public let former: Former?

    /// A file that another one replaces.
    public struct Former: Hashable, Sendable {
        /// The person whose bytes it was.
        public let owner: ID<Person>
        /// What it counts for its owner.
        public let byteCount: Int64

        /// A file as the store has counted it.
        public init(owner: ID<Person>, byteCount: Int64) {
            self.owner = owner
            self.byteCount = byteCount
        }
    }

    /// A receipt as the store makes it.
    public init(path: String, text: String, former: Former?) {
        self.path = path
        self.text = text
        self.former = former
    }
}
