internal import GRDB
internal import GRDBSQLite

/// The function `unicode_lower(text)`: `String.unicodeLower`. SQLite's own `lower` handles only ASCII.
enum UnicodeLower {
    /// Registers the function with a connection.
    ///
    /// - Throws: an error if SQLite has no memory for it.
    static func add(to connection: OpaquePointer?) throws {
        let code = sqlite3_create_function_v2(
            connection, "unicode_lower", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
            { context, _, arguments in UnicodeLower.call(context, arguments?[0]) }, nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    private static func call(_ context: OpaquePointer?, _ argument: OpaquePointer?) {
        guard let bytes = sqlite3_value_text(argument) else { return sqlite3_result_null(context) }
        // Safe: SQLite keeps this many bytes of the value until the function returns, and the result is copied.
        let text = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(argument)))
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { lower in
            for (place, byte) in text.enumerated() {
                guard byte < 0x80 else {
                    var whole = String(decoding: text, as: UTF8.self).unicodeLower
                    return whole.withUTF8 { give($0, context) }
                }
                lower[place] = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
            }
            give(UnsafeBufferPointer(lower), context)
        }
    }

    private static func give(_ text: UnsafeBufferPointer<UInt8>, _ context: OpaquePointer?) {
        // SQLITE_TRANSIENT: the bytes are copied.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        text.withMemoryRebound(to: CChar.self) { text in
            sqlite3_result_text(context, text.baseAddress, Int32(text.count), copies)
        }
    }
}
