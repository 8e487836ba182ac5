import Foundation
import TestSupport

/// How every route is called: the table `routes.txt` beside this file.
struct HostileRoutes {
    /// One way to call a route.
    struct Row: Sendable {
        enum Caller: String, Sendable {
            case nobody, person, spare
        }

        let method: String
        /// The path's pattern, such as `/api/documents/{id}`.
        let pattern: String
        /// The word behind `#`; empty for a route's first or only way.
        let variant: String
        let caller: Caller
        /// The status of an undisturbed call.
        let status: Int
        private(set) var query = ""
        private(set) var headers: [(name: String, value: String)] = []
        /// The statuses, in order of size, that two equal calls at once may get beside those of one after the other.
        private(set) var pairs: [[Int]] = []
        private var words: Set<String> = []
        /// The body with the names of things, or a word such as `@text`; `nil` for none.
        let body: String?

        /// `GET /api/documents/{id}`.
        var route: String { "\(method) \(pattern)" }
        var name: String { variant.isEmpty ? route : "\(route)#\(variant)" }
        var isStream: Bool { words.contains("stream") }
        var takesFile: Bool { words.contains("file") }
        var isChange: Bool { !["GET", "HEAD", "OPTIONS"].contains(method) && !words.contains("asks") }

        /// - Throws: `Fault` for a line that is not one of the table.
        init(_ line: Substring) throws {
            let parts = line.split(separator: " | ", maxSplits: 1).map(String.init)
            let texts = parts[0].split(separator: " ").map(String.init)
            let names = texts.dropFirst().first?.split(separator: "#").map(String.init) ?? []
            guard texts.count >= 4, let caller = Caller(rawValue: texts[2]), let status = Int(texts[3]) else {
                throw Fault(line: String(line))
            }
            (method, pattern, variant) = (texts[0], names[0], names.count > 1 ? names[1] : "")
            (self.caller, self.status, body) = (caller, status, parts.count > 1 ? parts[1] : nil)
            for text in texts.dropFirst(4) { try add(text, of: line) }
        }

        private mutating func add(_ text: String, of line: Substring) throws {
            if text.hasPrefix("?") {
                query = text
            } else if text.hasPrefix("or=") {
                pairs.append(text.dropFirst(3).split(separator: ",").compactMap { Int($0) }.sorted())
            } else if let colon = text.firstIndex(of: ":") {
                headers.append((String(text[..<colon]), String(text[text.index(after: colon)...])))
            } else if ["stream", "file", "asks"].contains(text) {
                words.insert(text)
            } else {
                throw Fault(line: String(line))
            }
        }
    }

    struct Fault: Error { let line: String }

    let rows: [Row]

    init() throws {
        let path = "\(Checkout.folder)/Tests/Programs/IntegrationTests/Service/HostileClients/routes.txt"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        rows = try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(Row.init)
    }
}
