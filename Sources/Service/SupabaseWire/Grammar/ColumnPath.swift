/// A column, and perhaps a way into its JSON, such as `data->items->>0`.
package struct ColumnPath: Hashable, Sendable {
    /// One step into a JSON value.
    package struct Step: Hashable, Sendable {
        /// Which part of the value is meant.
        package enum Part: Hashable, Sendable {
            case key(String)
            /// An element, counted from 0, or from the end where negative; as digits with a sign.
            case index(String)
        }

        /// The key or element that the step goes to.
        package var part: Part
        /// Whether the part becomes text (`->>`), not JSON (`->`).
        package var isText: Bool

        /// One arrow with what follows it.
        package init(part: Part, isText: Bool) {
            self.part = part
            self.isText = isText
        }
    }

    /// As the table has it.
    package var name: String
    /// The steps from the column's value.
    package var steps: [Step]

    /// A column without steps, if no others are given.
    package init(_ name: String, steps: [Step] = []) {
        self.name = name
        self.steps = steps
    }
}
