import Foundation
import Testing

/// `sqlite3`, as another program that works on the file of documents.
enum OtherProgram {
    /// Runs SQL on a file.
    ///
    /// - Parameter mayFail: whether failing statements are ignored.
    /// - Returns: the selected rows, a line each.
    @discardableResult
    static func sqlite(_ path: String, _ sql: String, mayFail: Bool = false) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = [path]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        if mayFail { process.standardError = FileHandle.nullDevice }
        try process.run()
        let writer = Thread {
            try? input.fileHandleForWriting.write(contentsOf: Data(((mayFail ? "" : ".bail on\n") + sql).utf8))
            try? input.fileHandleForWriting.close()
        }
        writer.start()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(mayFail || process.terminationStatus == 0)
        return text.split(separator: "\n").map(String.init)
    }
}
