internal import Glibc

/// `sqlite3`, as another program that uses a database's file.
public enum OtherProgram {
    /// Runs SQL on a file.
    ///
    /// - Parameter mayFail: whether failing statements are ignored.
    /// - Returns: the selected rows, one per line.
    @discardableResult
    public static func sqlite(_ path: String, _ sql: String, mayFail: Bool = false) throws -> [String] {
        let folder = TemporaryFolder.make("sql")
        defer { remove(folder, "input") }
        guard let input = fopen("\(folder)/input", "w") else { throw Failed(sql: sql) }
        fputs((mayFail ? "" : ".bail on\n") + sql, input)
        fclose(input)
        let words = "/usr/bin/sqlite3 \(quoted(path)) < \(folder)/input\(mayFail ? " 2>/dev/null" : "")"
        guard let output = popen(words, "r") else { throw Failed(sql: sql) }
        let text = contents(of: output)
        let status = pclose(output)
        guard mayFail || status == 0 else { throw Failed(sql: sql) }
        return text.split(separator: "\n").map(String.init)
    }

    /// Holds the write lock of a file while `body` runs.
    public static func withWriteLock<Value>(on path: String, _ body: () throws -> Value) throws -> Value {
        let folder = TemporaryFolder.make("sql")
        defer { remove(folder, "output") }
        guard let input = popen("/usr/bin/sqlite3 \(quoted(path)) > \(folder)/output", "w") else {
            throw Failed(sql: "BEGIN IMMEDIATE")
        }
        // The lock ends with the program, which ends when its input does.
        defer { pclose(input) }
        fputs(".timeout 5000\nBEGIN IMMEDIATE; SELECT 'held';\n", input)
        fflush(input)
        for _ in 0..<1000 {
            if let output = fopen("\(folder)/output", "r") {
                let text = contents(of: output)
                fclose(output)
                if text == "held\n" { return try body() }
            }
            usleep(10_000)
        }
        throw Failed(sql: "BEGIN IMMEDIATE")
    }

    private static func contents(of stream: UnsafeMutablePointer<FILE>) -> String {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&part, 1, part.count, stream), count > 0 { bytes += part[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A text as a single shell word.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private static func remove(_ folder: String, _ name: String) {
        unlink("\(folder)/\(name)")
        rmdir(folder)
    }

    /// Statements that the other program could not run.
    public struct Failed: Error {
        let sql: String
    }
}
