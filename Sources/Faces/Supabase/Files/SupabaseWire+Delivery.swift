internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Linux
internal import Media
internal import NIOCore
internal import Objects

/// Delivers files.
extension SupabaseWire {
    /// - Parameter expires: when the address's signature expires, in seconds since 1970.
    func deliver(
        _ request: WireRequest, expires: Int64?, _ find: @escaping @Sendable () throws(FileError) -> StoredFile
    ) async throws -> Response {
        let delivery = try await files.run { [library] () throws -> Delivery in
            try FileDesk.using(find) { file throws(FileError) in
                // A file is served only if a scanner has passed it.
                guard file.object.verdict == .passed else { throw .noObject }
                return try FileDesk.converting { () throws(ObjectError) in
                    if let expires, request.method == "GET",
                        let address = try library.objects.address(
                            of: file.object.id, Self.terms(of: file, request, until: expires))
                    {
                        return .redirect(address)
                    }
                    return .file(file, try library.objects.open(file.object.id))
                }
            }
        }
        guard case .file(let file, let reader) = delivery else { return delivery.redirection }
        let representation = Representation(
            byteCount: reader.byteCount, entityTag: file.entityTag,
            modified: HTTPDate(seconds: file.modified / 1_000_000_000))
        let plan = DeliveryPlan(method: request.method, headers: request, representation: representation)
        var headers = HTTPFields()
        for field in plan.fields(of: representation) {
            if let name = HTTPField.Name(field.name) { headers[name] = field.value }
        }
        headers[.contentType] = file.toldType
        headers[.expires] = expires.map { HTTPDate(seconds: $0).text }
        headers[.cacheControl] = file.object.notes.privateCacheControl(atMost: expires.map(Self.remainingSeconds))
        headers[.contentDisposition] = Self.disposition(request)
        headers[HTTPField.Name("X-Content-Type-Options")!] = "nosniff"
        headers[HTTPField.Name("Content-Security-Policy")!] = "default-src 'none'; base-uri 'none'; sandbox"
        switch plan {
        case .notModified, .preconditionFailed:
            return Response(status: .init(code: plan.status), headers: headers)
        case .unsatisfiable:
            let error = FileError(
                416, "416", "InvalidRange", "The requested range is not satisfiable", code: "InvalidRange")
            var response = error.response
            response.headers[.contentRange] = headers[.contentRange]
            return response
        case .whole, .part, .parts:
            let ranges = plan.ranges(of: representation)
            let range = (ranges.first?.lowerBound ?? 0)..<(ranges.last?.upperBound ?? 0)
            if plan.status == 206 {
                headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(reader.byteCount)"
            }
            return Response(status: .init(code: plan.status), headers: headers, body: body(reader, range))
                .reauthorized { [files] in _ = try await files.run { try find() } }
        }
    }

    /// The response to a request.
    private enum Delivery: Sendable {
        case file(StoredFile, any ObjectReader)
        /// The store's own address of the file.
        case redirect(String)

        var redirection: Response {
            guard case .redirect(let address) = self else { preconditionFailure("a file is sent") }
            return Response(status: .found, headers: [.location: address, .cacheControl: "private, no-store"])
        }
    }

    /// How the store answers in place of the service, while the signature is valid.
    private static func terms(of file: StoredFile, _ request: WireRequest, until end: Int64) -> DirectAddressTerms {
        let seconds = Int(clamping: remainingSeconds(until: end))
        return DirectAddressTerms(seconds: seconds, type: file.toldType, disposition: disposition(request))
    }

    /// The seconds until a time, which is given in seconds since 1970.
    static func remainingSeconds(until end: Int64) -> Int64 { max(0, end - Time.wall / 1_000_000_000) }

    private static func disposition(_ request: WireRequest) -> String? {
        request.items["download"].map { name in
            name.isEmpty
                ? "attachment;"
                : "attachment; filename=\(ascii(name)); filename*=UTF-8''\(PercentEncoding.encode(name))"
        }
    }

    /// A name that is valid in a quoted field.
    private static func ascii(_ name: String) -> String {
        PercentEncoding.encode(name, keeping: "-._~ ()")
    }

    private func body(_ reader: any ObjectReader, _ range: Range<Int64>) -> ResponseBody {
        let files = files
        let isSmall = range.count <= RangedFile.smallPieceByteCount
        // One piece is being read while the client takes another.
        let room = isSmall ? nil : library.objects.memory.reading.takeNow(2 * RangedFile.pieceByteCount)
        let most = Int64(room == nil ? RangedFile.smallPieceByteCount : RangedFile.pieceByteCount)
        return ResponseBody(contentLength: Int(range.count)) { writer in
            defer { withExtendedLifetime(room) {} }
            var offset = range.lowerBound
            while offset < range.upperBound {
                let count = Int(min(most, range.upperBound - offset))
                let piece = try await files.run { [offset] in
                    var piece = ByteBufferAllocator().buffer(capacity: count)
                    let read = try piece.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { buffer in
                        try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
                    }
                    guard read > 0 else { throw ObjectError.unavailable(detail: "the file ended before its length") }
                    return piece
                }
                offset += Int64(piece.readableBytes)
                try await writer.write(piece)
            }
            try await writer.finish(nil)
        }
    }
}
