/// Converts the `?` placeholders of a statement to PostgreSQL's form.
package enum PlaceholderText {
    /// The text with `$1`, `$2` in place of `?` and `?2`. Question marks in texts and names remain.
    package static func numbered(_ sql: String) -> String {
        var text = ""
        var count = 0
        var quote: Character?
        var index = sql.startIndex
        while index < sql.endIndex {
            let character = sql[index]
            index = sql.index(after: index)
            if let open = quote {
                if character == open { quote = nil }
                text.append(character)
            } else if character == "'" || character == "\"" {
                quote = character
                text.append(character)
            } else if character == "?" {
                let digits = sql[index...].prefix { $0.isASCII && $0.isNumber }
                index = digits.endIndex
                count += 1
                text += "$" + (digits.isEmpty ? "\(count)" : digits)
            } else {
                text.append(character)
            }
        }
        return text
    }
}

/// Lends the texts as an array of C strings, terminated by NULL.
func withCStrings<Answer>(
    _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Answer
) -> Answer {
    // One block for all: the texts one after another, each with its zero byte.
    var bytes: [UInt8] = []
    var places: [Int?] = []
    for text in texts {
        places.append(text == nil ? nil : bytes.count)
        guard let text else { continue }
        bytes += text.utf8
        bytes.append(0)
    }
    return bytes.withUnsafeBytes { bytes in
        let start = bytes.bindMemory(to: CChar.self).baseAddress
        let pointers: [UnsafePointer<CChar>?] = places.map { place in place.map { start! + $0 } } + [nil]
        return pointers.withUnsafeBufferPointer { body($0.baseAddress!) }
    }
}
