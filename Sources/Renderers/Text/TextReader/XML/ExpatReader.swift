internal import CExpat
internal import Media

/// The attributes of an element, looked up on demand.
struct XMLAttributes {
    fileprivate let pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    fileprivate let reader: ExpatReader

    /// The value of an attribute, such as `w:val`; an attribute without a namespace has its bare name.
    subscript(name: String) -> String? {
        guard var pair = pairs else { return nil }
        while let key = pair[0], let value = pair[1] {
            if reader.name(key) == name { return String(cString: value) }
            pair += 2
        }
        return nil
    }
}

/// Receives the components of an XML document, in document order.
protocol XMLHandler: AnyObject {
    /// The short names of namespaces, by full name.
    static var namespaces: [String: String] { get }
    /// An element begins; its name has the form `w:p`, with the prefix `?` if its namespace is unknown.
    func begin(_ name: String, _ attributes: XMLAttributes)
    func end(_ name: String)
    /// Some characters of a text, which may arrive in several parts.
    func add(_ characters: UnsafeBufferPointer<UInt8>)
    /// Whether the rest of the document need not be read.
    var isFinished: Bool { get }
}

/// Reads one XML document with expat, piece by piece. It allows no document type, and so no custom entities.
final class ExpatReader {
    private let parser: XML_Parser
    private let handler: any XMLHandler
    private let namespaces: [String: String]
    /// Short names by full spelling: a document has a few dozen.
    private var names: [[UInt8]: String] = [:]
    private var depth = 0
    private var refusal: Failure?

    /// - Throws: `tooLarge` if there is no memory.
    init(_ handler: some XMLHandler) throws(Failure) {
        guard let parser = XML_ParserCreateNS(nil, Self.separator) else {
            throw Failure(.tooLarge, detail: Failure.memoryDetail)
        }
        self.parser = parser
        self.handler = handler
        namespaces = type(of: handler).namespaces
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { ExpatReader.of($0).begin($1!, $2) }, { data, name in ExpatReader.of(data).end(name!) })
        XML_SetCharacterDataHandler(parser) { ExpatReader.of($0).add($1, $2) }
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in ExpatReader.of(data).refuseDocumentType() }
    }

    deinit { XML_ParserFree(parser) }

    /// Reads a piece.
    ///
    /// - Returns: `false` if the handler is finished.
    /// - Throws: `corrupt` if it is not XML; `tooLarge` if elements are nested too deeply.
    func read(_ piece: UnsafeBufferPointer<UInt8>) throws(Failure) -> Bool {
        var rest = piece[...]
        while !rest.isEmpty {
            let part = UnsafeBufferPointer(rebasing: rest.prefix(1 << 20))
            rest = rest.dropFirst(part.count)
            let isRead = part.withMemoryRebound(to: CChar.self) {
                XML_Parse(parser, $0.baseAddress, Int32($0.count), 0) == XML_STATUS_OK
            }
            if try !check(isRead) { return false }
        }
        return true
    }

    /// Ends the document.
    ///
    /// - Throws: `corrupt` if it is incomplete.
    func finish() throws(Failure) {
        if handler.isFinished { return }
        _ = try check(XML_Parse(parser, nil, 0, 1) == XML_STATUS_OK)
    }

    private func check(_ isRead: Bool) throws(Failure) -> Bool {
        if let refusal { throw refusal }
        if isRead { return true }
        if handler.isFinished { return false }
        let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "no XML"
        throw Failure(.corrupt, detail: "expat: \(reason), line \(cexpat_line_number(parser))")
    }

    /// The separator between a namespace and a name; no name contains it.
    private static let separator = XML_Char(0x0A)

    /// The maximum depth of elements. Word writes about thirty levels, and a dozen more for each nested table.
    private static let deepest = 4000

    private static func of(_ data: UnsafeMutableRawPointer?) -> ExpatReader {
        // The reader owns the parser, and is alive while it parses.
        Unmanaged<ExpatReader>.fromOpaque(data!).takeUnretainedValue()
    }

    private func begin(_ name: UnsafePointer<XML_Char>, _ pairs: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
        depth += 1
        guard depth <= Self.deepest else {
            return stop(Failure(.tooLarge, detail: "more than \(Self.deepest) levels of elements"))
        }
        handler.begin(self.name(name), XMLAttributes(pairs: pairs, reader: self))
        if handler.isFinished { stop(nil) }
    }

    private func end(_ name: UnsafePointer<XML_Char>) {
        depth -= 1
        handler.end(self.name(name))
        if handler.isFinished { stop(nil) }
    }

    private func add(_ characters: UnsafePointer<XML_Char>?, _ count: Int32) {
        guard let characters, count > 0 else { return }
        characters.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
            handler.add(UnsafeBufferPointer(start: $0, count: Int(count)))
        }
    }

    private func refuseDocumentType() {
        stop(Failure(.corrupt, detail: "a document type declaration, which could define entities"))
    }

    private func stop(_ failure: Failure?) {
        refusal = refusal ?? failure
        XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    /// The short form of a name: `w:p`.
    fileprivate func name(_ spelling: UnsafePointer<XML_Char>) -> String {
        var count = 0
        while spelling[count] != 0 { count += 1 }
        let bytes = spelling.withMemoryRebound(to: UInt8.self, capacity: count) {
            Array(UnsafeBufferPointer(start: $0, count: count))
        }
        if let known = names[bytes] { return known }
        let name = Self.short(bytes, namespaces)
        // A malicious document may have any number of names.
        if names.count < 4096 { names[bytes] = name }
        return name
    }

    private static func short(_ bytes: [UInt8], _ namespaces: [String: String]) -> String {
        let parts = bytes.split(separator: UInt8(separator), maxSplits: 1)
        guard parts.count == 2 else { return String(decoding: bytes, as: UTF8.self) }
        let local = String(decoding: parts[1], as: UTF8.self)
        guard let prefix = namespaces[String(decoding: parts[0], as: UTF8.self)] else { return "?:\(local)" }
        return "\(prefix):\(local)"
    }
}
