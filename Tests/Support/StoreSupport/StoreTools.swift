import Foundation
import TestSupport

/// The store that tests run against, and the client that it is compared with: programs of a virtual environment.
public enum StoreTools {
    private static let folder = "\(Checkout.folder)/build/store-tools/bin"

    /// The interpreter that has boto3.
    public static var python: String { "\(folder)/python" }
    /// SeaweedFS.
    static var weed: String { "\(folder)/weed" }

    /// Runs a text or a file of Python.
    ///
    /// - Returns: what it printed.
    /// - Throws: if it failed, or `make store-tools` has not made the environment.
    public static func run(_ arguments: [String], input: String = "") throws -> String {
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw Failed(text: "\(python) is missing: make store-tools")
        }
        let process = Process()
        let (entry, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-B"] + arguments
        process.standardInput = entry
        process.standardOutput = output
        try process.run()
        try entry.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try entry.fileHandleForWriting.close()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(text: "Python failed; its words stand above") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Why a tool could not be used.
    public struct Failed: Error {
        /// For the person who reads the test's output.
        public let text: String
    }
}
