/// Texts as PostgreSQL reads an array (postgresql.org/docs/current/arrays.html#ARRAYS-IO), for `CAST(? AS text[])`.
public enum SQLArray {
    /// The array of texts; `nil` stands for NULL.
    public static func text(_ texts: some Sequence<String?>) -> String {
        var array = "{"
        for text in texts {
            if array.utf8.count > 1 { array += "," }
            guard let text else {
                array += "NULL"
                continue
            }
            array += "\""
            for character in text.unicodeScalars {
                if character == "\"" || character == "\\" { array += "\\" }
                array.unicodeScalars.append(character)
            }
            array += "\""
        }
        return array + "}"
    }

    /// The array of numbers.
    public static func numbers(_ numbers: some Sequence<Int64>) -> String {
        "{\(numbers.map(String.init).joined(separator: ","))}"
    }
}
