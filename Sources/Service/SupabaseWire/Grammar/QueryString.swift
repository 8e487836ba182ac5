import Media

/// The parameters of an address, decoded, in their order.
package struct QueryString: Hashable, Sendable {
    /// A key with its value; the value is `nil` without `=`.
    package struct Parameter: Hashable, Sendable {
        /// The text before `=`, decoded.
        package var key: String
        /// The text behind `=`, decoded; `nil` without `=`.
        package var value: String?

        /// A pair that is decoded already.
        package init(_ key: String, _ value: String?) {
            self.key = key
            self.value = value
        }
    }

    /// In the order of the address; keys may come again.
    package var parameters: [Parameter]

    /// Pairs that are decoded already.
    package init(_ parameters: [Parameter]) {
        self.parameters = parameters
    }

    /// Splits the part of an address after `?` and decodes its escapes; `+` is a space.
    ///
    /// An escape without two hexadecimal digits stands for itself.
    ///
    /// - Returns: `nil` if the decoded bytes are not UTF-8 or hold a NUL, which no text of a database can.
    package init?(parsing text: some StringProtocol) {
        parameters = []
        for part in text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
            let equals = part.firstIndex(of: UInt8(ascii: "="))
            guard let key = Self.decoded(part[..<(equals ?? part.endIndex)]) else { return nil }
            var value: String?
            if let equals {
                guard let text = Self.decoded(part[part.index(after: equals)...]) else { return nil }
                value = text
            }
            parameters.append(Parameter(key, value))
        }
    }

    /// The value of the first parameter with this key.
    package subscript(key: String) -> String? {
        parameters.first { $0.key == key }?.value
    }

    private static func decoded(_ part: some Collection<UInt8>) -> String? {
        let bytes = Array(part)
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = Hex.value(of: bytes[index + 1]),
                let low = Hex.value(of: bytes[index + 2])
            {
                out.append(high << 4 | low)
                index += 3
            } else {
                out.append(bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
                index += 1
            }
        }
        return out.contains(0) ? nil : String(validating: out, as: UTF8.self)
    }
}
