/// Arrays in PostgreSQL's text form (postgresql.org/docs/current/arrays.html#ARRAYS-IO), for `CAST(? AS text[])`.
public enum SQLArray {
    /// An array of texts; `nil` stands for NULL.
    public static func text(_ texts: some Sequence<String?>) -> String {
        var array = [UInt8(ascii: "{")]
        for text in texts {
            if array.count > 1 { array.append(UInt8(ascii: ",")) }
            guard let text else {
                array += "NULL".utf8
                continue
            }
            array.append(quote)
            if text.utf8.contains(where: { $0 == quote || $0 == backslash }) {
                for byte in text.utf8 {
                    if byte == quote || byte == backslash { array.append(backslash) }
                    array.append(byte)
                }
            } else {
                array += text.utf8
            }
            array.append(quote)
        }
        array.append(UInt8(ascii: "}"))
        return String(decoding: array, as: UTF8.self)
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// An array of numbers.
    public static func numbers(_ numbers: some Sequence<Int64>) -> String {
        "{\(numbers.map(String.init).joined(separator: ","))}"
    }
}
