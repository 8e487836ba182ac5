internal import HTTPServing
internal import Media

/// JSON in the form of `JSON.text`, written directly into memory: a list has thousands of values, and a tree of them
/// would cost more than the text. Each full piece goes to the answer's body.
struct JSONText: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity = 4096
    private var count = 0
    private var needsComma = false
    private var body = AnswerBody()
    /// Why the body accepts no more; later writes are dropped.
    private var fault: ServingError?

    private init() { memory = .allocate(capacity: capacity) }

    deinit { memory.deallocate() }

    /// `{"success": true, "data": …}`.
    ///
    /// - Throws: `answerTooLarge`; `overloaded` if other answers take all memory.
    static func answer(_ value: some JSONWritable) throws(ServingError) -> AnswerBody {
        var out = JSONText()
        out.object { out in
            out.key("success")
            out.value(true)
            out.key("data")
            value.write(to: &out)
        }
        return try out.finish()
    }

    /// Writes an object whose members `body` writes.
    mutating func object(_ body: (inout JSONText) -> Void) { group("{", "}", body) }

    /// Writes an array whose elements `body` writes.
    mutating func array(_ body: (inout JSONText) -> Void) { group("[", "]", body) }

    /// Writes a text from parts that `body` appends and that need no escape.
    mutating func text(_ body: (inout JSONText) -> Void) { group("\"", "\"", body) }

    private mutating func group(_ beginning: StaticString, _ end: StaticString, _ body: (inout JSONText) -> Void) {
        separate()
        append(beginning)
        needsComma = false
        body(&self)
        append(end)
        needsComma = true
    }

    /// Writes a member's key, which needs no escape; its value must follow.
    mutating func key(_ key: StaticString) {
        separate()
        append("\"")
        append(key)
        append("\": ")
        needsComma = false
    }

    /// Writes a member with a text, or null.
    mutating func member(_ key: StaticString, _ text: String?) {
        self.key(key)
        value(text)
    }

    /// Writes a member with an identity.
    mutating func member<Subject>(_ key: StaticString, _ id: ID<Subject>) {
        self.key(key)
        value(id)
    }

    /// Writes a text, or null.
    mutating func value(_ text: String?) {
        guard let text else { return raw("null") }
        separate()
        quote(text)
        needsComma = true
    }

    /// Writes an identity.
    mutating func value<Subject>(_ id: ID<Subject>) { text { $0.append(id) } }

    /// Writes a number.
    mutating func value(_ number: Int64) { raw("\(number)") }

    /// Writes true or false.
    mutating func value(_ truth: Bool) { raw(truth ? "true" : "false") }

    /// Writes a value that is already JSON.
    mutating func raw(_ json: String) {
        separate()
        var json = json
        json.withUTF8 { append($0) }
        needsComma = true
    }

    /// Writes a value of any size.
    mutating func value(_ json: JSON) {
        separate()
        passOn()
        passOn { body throws(ServingError) in try body.append(json) }
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { append(", ") }
        if count >= AnswerBody.pieceByteCount { passOn() }
    }

    /// Passes on what is in memory.
    private mutating func passOn() {
        let bytes = UnsafeBufferPointer(start: memory, count: count)
        passOn { body throws(ServingError) in try body.append(bytes) }
        count = 0
    }

    private mutating func passOn(_ write: (inout AnswerBody) throws(ServingError) -> Void) {
        if fault != nil { return }
        do {
            try write(&body)
        } catch {
            fault = error
            body = AnswerBody()
        }
    }

    private mutating func finish() throws(ServingError) -> AnswerBody {
        passOn()
        if let fault { throw fault }
        try body.checkSize()
        return body
    }

    private mutating func quote(_ text: String) {
        var text = text
        let isPlain = text.withUTF8 { bytes in
            reserve(bytes.count + 2)
            // Without a branch, so that one step checks many bytes.
            var escapes: UInt8 = 0
            for place in 0..<bytes.count {
                memory[count + 1 + place] = bytes[place]
                escapes |= Self.mayNeedEscape(bytes[place]) ? 1 : 0
            }
            if escapes != 0 { return false }
            memory[count] = UInt8(ascii: "\"")
            memory[count + 1 + bytes.count] = UInt8(ascii: "\"")
            count += bytes.count + 2
            return true
        }
        if isPlain { return }
        var escaped = JSON.string(text).text
        escaped.withUTF8 { append($0) }
    }

    /// Whether a byte is a control character, a quote or a backslash, or begins a character from U+0080 to U+00BF.
    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F || byte == 0xC2
    }
}

extension JSONText {
    /// Appends a part of a text.
    mutating func append(_ word: StaticString) {
        append(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    /// Appends an identity.
    mutating func append<Subject>(_ id: ID<Subject>) {
        reserve(ID<Subject>.textByteCount)
        id.write(to: memory + count)
        count += ID<Subject>.textByteCount
    }

    /// Appends two digits for each byte.
    mutating func append(digitsOf bytes: ArraySlice<UInt8>) {
        reserve(2 * bytes.count)
        for byte in bytes {
            HexDigits.write(UInt64(byte), count: 2, to: memory + count)
            count += 2
        }
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        (memory + count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    /// Makes room for this many more bytes.
    private mutating func reserve(_ byteCount: Int) {
        if capacity - count < byteCount { grow(by: byteCount) }
    }

    private mutating func grow(by byteCount: Int) {
        capacity = max(2 * capacity, count + byteCount)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: memory, count: count)
        memory.deallocate()
        memory = larger
    }
}

/// A value that an answer contains as JSON.
protocol JSONWritable: SendableMetatype {
    /// Writes one value.
    func write(to out: inout JSONText)
}

extension JSON: JSONWritable {
    /// Writes the value.
    func write(to out: inout JSONText) { out.value(self) }
}

extension Array: JSONWritable where Element: JSONWritable {
    /// Writes an array of the elements.
    func write(to out: inout JSONText) {
        out.array { out in
            for index in indices { self[index].write(to: &out) }
        }
    }
}
