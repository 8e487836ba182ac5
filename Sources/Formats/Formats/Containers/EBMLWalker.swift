package import Media

/// Iterates over the EBML elements in a range of a file: Matroska and WebM.
///
/// It reads only headers, of at most 256 elements. Sizes are hostile: a size that exceeds the range is truncated.
package struct EBMLWalker {
    private let source: BoundedSource
    private var offset: Int64
    private let end: Int64
    private var elementsLeft = 256

    /// Whether the walk reached the end of the range.
    package var isComplete: Bool { offset == end }

    /// - Parameter range: an element's data; `nil` for the whole file.
    package init(_ source: BoundedSource, in range: Range<Int64>? = nil) {
        let range = range ?? 0..<source.byteCount
        self.source = source
        offset = range.lowerBound
        end = range.upperBound
    }

    /// The next element; `nil` at the end of the range, at an invalid header, and at the limit.
    ///
    /// - Throws: `corrupt` if the file cannot be read.
    package mutating func next() throws(Failure) -> EBMLElement? {
        guard elementsLeft > 0, offset < end,
            let header = try source.bytes(at: offset, count: Int(min(12, end - offset))),
            let (id, idLength) = Self.variableSizeInteger(in: header, at: 0, longest: 4),
            let (marked, sizeLength) = Self.variableSizeInteger(in: header, at: idLength, longest: 8)
        else { return nil }
        elementsLeft -= 1
        // All data bits set mean an unknown size (RFC 8794, 6.2): the element reaches to the end of its parent.
        let unknown = UInt64(1) << (7 * UInt64(sizeLength)) - 1
        let size = marked & unknown
        let start = offset + Int64(idLength + sizeLength)
        let isComplete = size < unknown && size <= UInt64(end - start)
        offset = isComplete ? start + Int64(size) : end
        return EBMLElement(id: UInt32(id), data: start..<offset, isComplete: isComplete)
    }

    /// A Variable-Size Integer with its length marker (RFC 8794, 4): the leading zeros of its first byte tell how many
    /// bytes follow.
    private static func variableSizeInteger(
        in bytes: Bytes, at offset: Int, longest: Int
    ) -> (value: UInt64, length: Int)? {
        guard let first = bytes[offset] else { return nil }
        let length = first.leadingZeroBitCount + 1
        guard length <= longest, let value = bytes.part(at: offset, count: length)?.bigInteger else { return nil }
        return (value, length)
    }
}

extension BoundedSource {
    /// An Unsigned Integer Element's value (RFC 8794, 7.2); `nil` if it is longer than 8 bytes, or empty and therefore
    /// has its default.
    ///
    /// - Throws: `corrupt` if the file cannot be read.
    package func unsignedInteger(_ element: EBMLElement) throws(Failure) -> UInt64? {
        guard element.isComplete, (1...8).contains(element.data.count) else { return nil }
        return try bytes(at: element.data.lowerBound, count: element.data.count)?.bigInteger
    }
}
