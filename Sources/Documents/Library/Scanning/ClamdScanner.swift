internal import CLinux
internal import Linux
public import Objects

/// ClamAV's daemon, which gets a file by its command `INSTREAM` (clamd(8)) and so needs no permission to read it.
public struct ClamdScanner: Scanner {
    private let address: ScannerAddress
    /// How long the daemon may be silent.
    private let patience: Duration

    /// A scanner at an address, with a connection for each file.
    public init(at address: ScannerAddress, patience: Duration = .seconds(120)) {
        self.address = address
        self.patience = patience
    }

    /// Sends the file in pieces, each after its length in four bytes, and reads the verdict.
    public func scan(_ object: any ObjectReader) throws(ScanError) -> ScanVerdict {
        let socket: Descriptor
        do throws(SystemError) {
            socket = try address.connect(patience: patience)
            try socket.send(Array("zINSTREAM\0".utf8))
        } catch {
            throw .unreachable(detail: "\(error)")
        }
        // A daemon that refuses a file answers and closes before it has read everything.
        let sending = Result { () throws(ScanError) in try send(object, to: socket) }
        if case .failure(.unreadable(let detail)) = sending { throw .unreadable(detail: detail) }
        let answer: String
        do throws(SystemError) {
            answer = try socket.receiveText(limit: 4096)
        } catch {
            throw .unreachable(detail: "\(error)")
        }
        return try Self.verdict(answer)
    }

    private func send(_ object: any ObjectReader, to socket: Descriptor) throws(ScanError) {
        var piece = [UInt8](repeating: 0, count: 4 + Self.pieceByteCount)
        var offset: Int64 = 0
        while true {
            let count = try Self.read(object, into: &piece, at: offset)
            do throws(SystemError) {
                try socket.send(Array(piece[..<(4 + count)]))
            } catch {
                throw .unreachable(detail: "\(error)")
            }
            // A length of zero marks the end.
            if count == 0 { return }
            offset += Int64(count)
        }
    }

    private static func read(
        _ object: any ObjectReader, into piece: inout [UInt8], at offset: Int64
    ) throws(ScanError) -> Int {
        let result = piece.withUnsafeMutableBytes { buffer in
            Result { () throws(ObjectError) in
                let count = try object.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[4...]), at: offset)
                buffer.storeBytes(of: UInt32(count).bigEndian, as: UInt32.self)
                return count
            }
        }
        switch result {
        case .success(let count): return count
        case .failure(let error): throw .unreadable(detail: "\(error)")
        }
    }

    /// `stream: OK`, `stream: NAME FOUND`, or `… ERROR`.
    static func verdict(_ answer: String) throws(ScanError) -> ScanVerdict {
        let words = answer.split(separator: " ")
        switch words.last {
        case "OK" where words.count == 2: return .clean
        case "FOUND" where words.count >= 3: return .infected(name: words[1..<(words.count - 1)].joined(separator: " "))
        case nil: throw .unreachable(detail: "no answer")
        default: throw .refused(detail: String(answer.prefix(200)))
        }
    }

    private static let pieceByteCount = 128 << 10
}

extension Descriptor {
    /// Sends all bytes; a closed peer is an error, not a signal.
    fileprivate func send(_ bytes: [UInt8]) throws(SystemError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                CLinux.send(number, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, clinux_errno() == EINTR { continue }
            guard count > 0 else { throw SystemError.last("send") }
            sent += count
        }
    }

    /// The text up to a zero byte or the end of the stream.
    fileprivate func receiveText(limit: Int) throws(SystemError) -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1024)
        while text.count < limit {
            let count = recv(number, &buffer, buffer.count, 0)
            if count < 0, clinux_errno() == EINTR { continue }
            guard count >= 0 else { throw SystemError.last("recv") }
            if count == 0 { break }
            text += buffer[..<count]
            if text.contains(0) { break }
        }
        return String(decoding: text.prefix { $0 != 0 && $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
