import HTTPSyntax
import Media

/// Forms and the headers of requests, which anyone may send.
enum HTTPTargets {
    /// The first byte says how the rest is cut. The cuts must not change what the form yields.
    static func form(_ bytes: [UInt8]) throws(Broken) {
        guard let first = bytes.first else { return }
        let body = bytes.dropFirst()
        let whole = try reading(of: [body])
        var pieces: [ArraySlice<UInt8>] = []
        var rest = body
        while !rest.isEmpty {
            pieces.append(rest.prefix(1 + Int(first) * (1 + pieces.count % 3) % 40))
            rest = rest.dropFirst(pieces[pieces.count - 1].count)
        }
        try holds(try reading(of: pieces) == whole, "cuts change what a form yields")
    }

    private struct Reading: Equatable {
        var headers: [PartHeader] = []
        var contents: [[UInt8]] = []
        var endedCount = 0
        var error: MultipartError?
    }

    private static func reading(of pieces: [ArraySlice<UInt8>]) throws(Broken) -> Reading {
        var limits = MultipartLimits()
        limits.headerByteCount = 300
        limits.fieldByteCount = 100
        limits.partCount = 5
        guard var parser = try? MultipartParser(ContentType("multipart/form-data; boundary=b"), limits: limits) else {
            throw Broken("no parser")
        }
        var reading = Reading()
        for index in 0...pieces.count {
            if index < pieces.count { parser.feed(pieces[index]) } else { parser.finish() }
            do throws(MultipartError) {
                while let event = try parser.next() { note(event, in: &reading) }
            } catch {
                reading.error = error
                break
            }
        }
        try holds(reading.error != nil || parser.isComplete, "a form that neither fails nor ends")
        try holds(reading.headers.count <= 5, "more parts than the limit")
        for (header, content) in zip(reading.headers, reading.contents) {
            try holds(header.isFile || content.count <= 100, "a field over its limit")
        }
        return reading
    }

    private static func note(_ event: MultipartParser.Event, in reading: inout Reading) {
        switch event {
        case .began(let header):
            reading.headers.append(header)
            reading.contents.append([])
        case .bytes(let bytes): reading.contents[reading.contents.count - 1] += bytes
        case .ended: reading.endedCount += 1
        }
    }

    /// Lines of `Name: value`; the first is the method.
    static func resumable(_ bytes: [UInt8]) throws(Broken) {
        let (method, fields) = request(bytes)
        let limits = TusLimits(byteCount: 1 << 40)
        let now = HTTPDate(seconds: 0)
        guard let parsed = try? TusRequest(method: method, headers: fields, limits: limits) else { return }
        switch parsed {
        case .create(let creation):
            var upload = TusUpload(creation, limits: limits, now: now)
            if let allowance = try? upload.beginFirstPiece(of: creation, limits: limits) {
                try holds(allowance <= limits.byteCount, "more bytes allowed than the limit")
                upload.advance(by: allowance)
            }
            if let text = upload.metadata.text {
                try holds((try? TusMetadata(text)) == upload.metadata, "metadata that their own text are not")
            }
            _ = TusAnswer.status(upload)
        case .append(let piece):
            var upload = TusUpload(length: nil, offset: 7, expires: HTTPDate(seconds: 9), metadata: TusMetadata())
            if let allowance = try? upload.begin(piece, limits: limits, now: now) { upload.advance(by: allowance) }
            try holds(upload.offset >= 7 && upload.offset <= limits.byteCount, "an offset outside the upload")
        case .options, .status, .terminate: break
        }
    }

    /// As `resumable`, for conditions, ranges, negotiation and the way through proxies.
    static func headers(_ bytes: [UInt8]) throws(Broken) {
        let (method, fields) = request(bytes)
        for byteCount in [0, 1, 1000, Int64.max] {
            let representation = Representation(
                byteCount: byteCount, entityTag: EntityTag("a"), modified: HTTPDate(seconds: 784_111_777))
            let plan = DeliveryPlan(method: method, headers: fields, representation: representation)
            let ranges = plan.ranges(of: representation)
            _ = plan.fields(of: representation)
            let areInside = ranges.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= byteCount }
            try holds(areInside, "a range outside the representation")
            try holds(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }, "ranges that meet")
        }
        _ = AcceptedTypes(fields).best(of: [.webp, .jpeg, .png], onlyNamed: [.webp])
        for field in TrustedProxies.Field.allCases {
            let origin = TrustedProxies([AddressBlock("10.0.0.0/8")!], field: field)
                .origin(peer: IPAddress("10.0.0.1"), headers: fields)
            guard let address = origin.address else { throw Broken("an address that got lost") }
            try holds(IPAddress(address.text) == address, "an address that its own text is not")
        }
        _ = LoopbackGuard(port: 80).refusal(method: method, host: fields.single("Host"), headers: fields)
        for field in fields {
            if let date = HTTPDate(field.value) { try holds(HTTPDate(date.text) == date, "a date that changed") }
            if let query = QueryItems(field.value) { _ = query["a"] }
            let disposition = ContentDisposition.attachment(field.value).text
            try holds(disposition.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "a disposition that is not ASCII")
        }
    }

    private static func request(_ bytes: [UInt8]) -> (method: String, [HeaderField]) {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(64)
        let fields = lines.dropFirst().map { line in
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            let value = line.dropFirst(name.count + 1).drop { $0 == 0x20 }
            return HeaderField(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
        }
        return (String(decoding: lines[0], as: UTF8.self), Array(fields))
    }
}

extension HTTPTargets {
    static var forms: [[UInt8]] {
        let disposition = "\r\nContent-Disposition: form-data; name=\"a\""
        return [
            "!--b\(disposition)\r\n\r\nvalue\r\n--b\(disposition); filename=\"x%22\\\"y.pdf\"\r\nContent-Type: "
                + "application/pdf\r\n\r\n%PDF\r\n-\r\n--\r\n\r\n--b--\r\n",
            "!--b\(disposition); filename*=UTF-8''%C3%A9\r\n\r\n\r\n--b \(disposition)\r\n\r\n--b--",
            "!pre\r\n--b\(disposition)\r\nContent-Transfer-Encoding: binary\r\n\r\nx\r\n--b--epilogue",
        ].map { Array($0.utf8) }
    }

    static var resumables: [[UInt8]] {
        [
            "POST\nTus-Resumable: 1.0.0\nUpload-Length: 100\nUpload-Metadata: filename d29ybGQ=,x,y YQ==\nContent-Type: "
                + "application/offset+octet-stream\nContent-Length: 7",
            "PATCH\nTus-Resumable: 1.0.0\nUpload-Offset: 7\nUpload-Length: 70\nContent-Type: "
                + "application/offset+octet-stream\nContent-Length: 7",
            "POST\nTus-Resumable: 1.0.0\nUpload-Defer-Length: 1\nX-HTTP-Method-Override: POST",
        ].map { Array($0.utf8) }
    }

    static var requests: [[UInt8]] {
        [
            "GET\nRange: bytes=0-9,-5,100-\nIf-Range: \"a\"\nAccept: image/webp;q=0.5,image/*,*/*;q=0.1\nHost: [::1]:80\n"
                + "X-Forwarded-For: 1.2.3.4, [2001:db8::1]:80, 10.0.0.2",
            "HEAD\nIf-None-Match: W/\"a\", \"b\"\nIf-Match: *\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\n"
                + "If-Unmodified-Since: Sunday, 06-Nov-94 08:49:37 GMT\nOrigin: http://localhost",
            "GET\nForwarded: for=\"[2001:db8::1]:80\";proto=https;host=a, for=10.0.0.3\nDate: Sun Nov  6 08:49:37 1994\n"
                + "Query: a=1&b=%C3%A9+c&c",
        ].map { Array($0.utf8) }
    }
}
