/// An EBML element (RFC 8794, 6).
package struct EBMLElement {
    /// The Element ID with its length marker, as RFC 9559 prints it: see `MatroskaID`.
    package let id: UInt32

    /// Where the Element Data lie, cut to the end of the parent.
    package let data: Range<Int64>

    /// Whether the Element Data Size is known and does not exceed the parent.
    package let isComplete: Bool
}
