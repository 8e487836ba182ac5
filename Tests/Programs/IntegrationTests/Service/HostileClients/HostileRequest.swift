import Foundation
import TestSupport

/// A request in pieces, for clients that do not send it as they should.
struct HostileRequest: Sendable {
    /// How the length of the body is told.
    enum Framing: String, Sendable, CaseIterable {
        case length, chunks
    }

    let name: String
    var method: String
    var address: String
    var headers: [(name: String, value: String)]
    /// `nil` for a request without a body.
    var body: [UInt8]?

    /// The bytes up to the body.
    ///
    /// - Parameters:
    ///   - byteCount: the body's declared length; `nil` for none.
    ///   - id: the request's id in the log.
    func head(_ framing: Framing, declaring byteCount: Int?, id: String, closes: Bool = true) -> [UInt8] {
        var text = "\(method) \(address) HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: \(id)\r\n"
        if closes { text += "Connection: close\r\n" }
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if let byteCount {
            text += framing == .length ? "Content-Length: \(byteCount)\r\n" : "Transfer-Encoding: chunked\r\n"
        }
        return Array("\(text)\r\n".utf8)
    }

    /// The bytes of a whole request.
    func whole(id: String) -> [UInt8] { head(.length, declaring: body?.count, id: id) + (body ?? []) }

    /// Bytes of the body as they are sent.
    static func framed(_ bytes: some Collection<UInt8>, _ framing: Framing) -> [UInt8] {
        guard framing == .chunks, !bytes.isEmpty else { return Array(bytes) }
        return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }

    /// What ends a body.
    static func ending(_ framing: Framing) -> [UInt8] { framing == .chunks ? Array("0\r\n\r\n".utf8) : [] }

    /// Lines of text.
    static func text(_ byteCount: Int) -> [UInt8] {
        Array(Array(String(repeating: "text\n", count: byteCount / 5 + 1).utf8).prefix(byteCount))
    }

    static let boundary = "cut"

    /// A form with fields and one file.
    static func form(_ fields: [(String, String)], file: [UInt8], named name: String) -> [UInt8] {
        let texts = fields.map { name, value in
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        let header = "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n\r\n"
        return Array((texts.joined() + header).utf8) + file + Array("\r\n--\(boundary)--\r\n".utf8)
    }
}
