internal import Linux
internal import Logging
internal import Media

/// Writes each event to standard error as one line in one write.
struct LineLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info
    private let format: LogSettings.Format

    init(format: LogSettings.Format) { self.format = format }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let line =
            switch format {
            case .text: text(event, fields)
            case .json: json(event, fields)
            }
        StandardStream.write(line + "\n", to: 2)
    }

    private typealias Field = (key: String, value: Logger.Metadata.Value)

    /// Texts from outside, such as paths, are escaped, so that an event stays one line.
    private func text(_ event: LogEvent, _ fields: [Field]) -> String {
        let words = fields.map { " \($0.key)=\(Self.quoted("\($0.value)"))" }.joined()
        let message = Failure.bounded("\(event.message)", to: 4096)
        return "\(Timestamp.now) \(event.level.rawValue.uppercased()) \(message)\(words)"
    }

    /// A value quoted as by `FilePath.shown`, or in quotation marks if it has several words.
    private static func quoted(_ value: String) -> String {
        let shown = FilePath(value).shown
        guard shown == value else { return shown }
        let isPlain = !value.isEmpty && !value.contains { $0 == " " || $0 == "\"" || $0 == "=" }
        return isPlain
            ? value : "\"\(value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\""))\""
    }

    private func json(_ event: LogEvent, _ fields: [Field]) -> String {
        var members = [
            JSON.Member("time", .string(Timestamp.now)), JSON.Member("level", .string(event.level.rawValue)),
            JSON.Member("message", .string("\(event.message)")),
        ]
        members += fields.map { JSON.Member($0.key, Self.json("\($0.value)", numeric: Self.numbers.contains($0.key))) }
        return JSON.object(members).text
    }

    /// The fields that are numbers in JSON; swift-log passes only texts.
    private static let numbers: Set = ["job", "attempt", "ms", "waitedMs", "jobs", "bytes", "pid", "port", "seconds"]

    private static func json(_ text: String, numeric: Bool) -> JSON {
        if numeric, let number = Int64(text) { return .integer(number) }
        if numeric, let number = Double(text) { return .number(number) }
        if text == "true" || text == "false" { return .bool(text == "true") }
        return .string(text)
    }
}
