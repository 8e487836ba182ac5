/// An EBML element (RFC 8794, 6).
package struct EBMLElement {
    /// The Element ID with its length marker, as RFC 9559 prints it: see `MatroskaID`.
    package let id: UInt32

    /// The range of the Element Data, cut at the parent's end.
    package let data: Range<Int64>

    /// Whether the Element Data Size is known and does not exceed the parent.
    package let isComplete: Bool
}
