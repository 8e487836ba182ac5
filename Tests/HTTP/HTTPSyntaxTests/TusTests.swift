import HTTPSyntax
import TestDeadline
import Testing

@Suite("Resumable uploads by tus 1.0.0", .deadline)
struct TusTests {
    private static let limits = TusLimits(byteCount: 1000)
    private static let now = HTTPDate(seconds: 1_700_000_000)
    private static let later = HTTPDate(seconds: 1_700_086_400)

    private func request(_ method: String, _ fields: [String: String], hasVersion: Bool = true) throws(TusError)
        -> TusRequest?
    {
        let all = fields.merging(hasVersion ? ["Tus-Resumable": "1.0.0"] : [:]) { own, _ in own }
        return try TusRequest(method: method, headers: all.map { HeaderField($0.key, $0.value) }, limits: Self.limits)
    }

    private func piece(_ fields: [String: String]) throws(TusError) -> TusAppend {
        let type = ["Content-Type": "application/offset+octet-stream"]
        guard case .append(let piece) = try request("PATCH", fields.merging(type) { own, _ in own }) else {
            throw .notFound
        }
        return piece
    }

    private func creation(_ fields: [String: String]) throws(TusError) -> TusCreation {
        guard case .create(let creation) = try request("POST", fields) else { throw .notFound }
        return creation
    }

    private func upload(length: Int64?, offset: Int64 = 0) -> TusUpload {
        TusUpload(length: length, offset: offset, expires: Self.later, metadata: TusMetadata())
    }

    @Test("Each method is one request, also by its override")
    func methods() throws {
        #expect(try request("OPTIONS", [:], hasVersion: false) == .options)
        #expect(try request("HEAD", [:]) == .status)
        #expect(try request("DELETE", [:]) == .terminate)
        #expect(try request("POST", ["X-HTTP-Method-Override": "DELETE"]) == .terminate)
        #expect(try request("GET", [:], hasVersion: false) == nil)
        #expect(try request("PUT", [:]) == nil)
    }

    @Test("A request without the version is refused", arguments: ["POST", "HEAD", "PATCH", "DELETE"])
    func version(method: String) {
        for fields in [[:], ["Tus-Resumable": "0.2.2"]] {
            #expect(throws: TusError.unsupportedVersion) { try request(method, fields, hasVersion: false) }
        }
        #expect(TusAnswer.failed(.unsupportedVersion).status == 412)
        #expect(TusAnswer.failed(.unsupportedVersion).fields.contains(HeaderField("Tus-Version", "1.0.0")))
    }

    @Test(
        "A creation states its length, or that it comes later",
        arguments: [
            (["Upload-Length": "10"], 10, nil), (["Upload-Length": "0"], 0, nil),
            (["Upload-Length": "1000"], 1000, nil),
            (["Upload-Defer-Length": "1"], nil, nil), (["Upload-Length": "1001"], nil, .tooLarge),
            ([:], nil, .invalidLength),
            (["Upload-Length": "10", "Upload-Defer-Length": "1"], nil, .invalidLength),
            (["Upload-Defer-Length": "2"], nil, .invalidLength),
            (["Upload-Length": "-1"], nil, .invalidLength), (["Upload-Length": "1.5"], nil, .invalidLength),
            (["Upload-Length": "99999999999999999999"], nil, .invalidLength),
            (["Upload-Length": "0x10"], nil, .invalidLength),
            (["Upload-Length": "10", "Upload-Concat": "partial"], nil, .concatenation),
            (["Upload-Length": "10", "Upload-Metadata": "a b c"], nil, .invalidMetadata),
            (
                ["Upload-Length": "10", "Content-Type": "application/offset+octet-stream", "Content-Length": "11"], nil,
                .beyondLength
            ),
            (
                [
                    "Upload-Defer-Length": "1", "Content-Type": "application/offset+octet-stream",
                    "Content-Length": "1001",
                ], nil, .tooLarge
            ),
            (["Upload-Length": "10", "Content-Type": "text/plain", "Content-Length": "11"], 10, nil),
        ] as [([String: String], Int64?, TusError?)])
    func creations(fields: [String: String], length: Int64?, error: TusError?) throws {
        if let error {
            #expect(throws: error) { try creation(fields) }
        } else {
            let creation = try creation(fields)
            #expect(creation.length == length)
            let upload = TusUpload(creation, limits: Self.limits, now: Self.now)
            #expect(upload.expires == Self.later && upload.offset == 0 && upload.isFinished == (length == 0))
        }
    }

    @Test("A creation may carry the first piece")
    func creationWithUpload() throws {
        let creation = try creation([
            "Upload-Length": "10", "Content-Type": "application/offset+octet-stream", "Content-Length": "4",
        ])
        #expect(creation.hasPiece)
        var upload = TusUpload(creation, limits: Self.limits, now: Self.now)
        #expect(try upload.beginFirstPiece(of: creation, limits: Self.limits) == 10)
        upload.advance(by: 4)
        let answer = TusAnswer.created(upload, location: "http://a/u/1", hasPiece: true)
        #expect(answer.status == 201 && answer.fields.contains(HeaderField("Upload-Offset", "4")))
        #expect(answer.fields.contains(HeaderField("Location", "http://a/u/1")))
        #expect(answer.fields.contains(HeaderField("Upload-Expires", "Wed, 15 Nov 2023 22:13:20 GMT")))
        let plain = try self.creation(["Upload-Length": "10"])
        #expect(try upload.beginFirstPiece(of: plain, limits: Self.limits) == 0)
    }

    @Test("Metadata are pairs of a key and base64")
    func metadata() throws {
        let metadata = try TusMetadata(
            "filename d29ybGRfZG9taW5hdGlvbl9wbGFuLnBkZg==,is_confidential,empty ,bytes /w==")
        #expect(metadata.keys == ["filename", "is_confidential", "empty", "bytes"])
        #expect(metadata["filename"] == "world_domination_plan.pdf")
        #expect(metadata["is_confidential"] == "" && metadata["empty"] == "" && metadata["none"] == nil)
        #expect(metadata["bytes"] == nil && metadata.bytes(of: "bytes") == [0xFF])
        #expect(metadata.text == "filename d29ybGRfZG9taW5hdGlvbl9wbGFuLnBkZg==,is_confidential,empty,bytes /w==")
        #expect(try TusMetadata("a YQ,b YWI")["b"] == "ab")
        #expect(TusMetadata().text == nil)
        #expect(try TusMetadata((0..<64).map { "k\($0)" }.joined(separator: ",")).keys.count == 64)
    }

    @Test(
        "Metadata against the grammar are refused",
        arguments: [
            "", ",", "a,", "a,,b", "a b c d", "a !!!!", "a YQ=a", "a YQ===", "a Y", "a a,a b", "\u{e9} YQ==", "a YWI==",
            "a Y=Q=",
            (0..<65).map { "k\($0)" }.joined(separator: ","),
        ])
    func badMetadata(text: String) {
        #expect(throws: TusError.invalidMetadata) { try TusMetadata(text) }
    }

    @Test(
        "A piece states where it begins",
        arguments: [
            (["Upload-Offset": "5"], nil), ([:], .missingOffset), (["Upload-Offset": "x"], .invalidOffset),
            (["Upload-Offset": "-1"], .invalidOffset),
            (["Upload-Offset": "5", "Content-Type": "application/octet-stream"], .wrongContentType),
            (["Upload-Offset": "5", "Upload-Length": "x"], .invalidLength), (["Content-Type": ""], .wrongContentType),
        ] as [([String: String], TusError?)])
    func pieces(fields: [String: String], error: TusError?) throws {
        if let error {
            #expect(throws: error) { try piece(fields) }
        } else {
            #expect(try piece(fields).offset == 5)
        }
    }

    @Test("A piece is taken only where the upload stands, and within its length")
    func begin() throws {
        var upload = upload(length: 10, offset: 4)
        #expect(try upload.begin(piece(["Upload-Offset": "4"]), limits: Self.limits, now: Self.now) == 6)
        #expect(
            try upload.begin(piece(["Upload-Offset": "4", "Content-Length": "6"]), limits: Self.limits, now: Self.now)
                == 6)
        for offset in ["3", "5", "10"] {
            #expect(throws: TusError.offsetConflict) {
                try upload.begin(piece(["Upload-Offset": offset]), limits: Self.limits, now: Self.now)
            }
        }
        #expect(throws: TusError.beyondLength) {
            try upload.begin(piece(["Upload-Offset": "4", "Content-Length": "7"]), limits: Self.limits, now: Self.now)
        }
        #expect(throws: TusError.expired) {
            try upload.begin(piece(["Upload-Offset": "4"]), limits: Self.limits, now: Self.later)
        }
        #expect(upload.excess == .beyondLength)
        upload.advance(by: 6)
        #expect(upload.isFinished)
        // A repeated last piece of no bytes, even after the time.
        #expect(try upload.begin(piece(["Upload-Offset": "10"]), limits: Self.limits, now: Self.later) == 0)
        #expect(TusAnswer.appended(upload).fields.last == HeaderField("Upload-Offset", "10"))
    }

    @Test("A deferred length is stated once, and may be repeated")
    func deferredLength() throws {
        var upload = upload(length: nil, offset: 4)
        #expect(TusAnswer.status(upload).fields.contains(HeaderField("Upload-Defer-Length", "1")))
        #expect(try upload.begin(piece(["Upload-Offset": "4"]), limits: Self.limits, now: Self.now) == 996)
        #expect(upload.excess == .tooLarge)
        #expect(throws: TusError.tooLarge) {
            try upload.begin(
                piece(["Upload-Offset": "4", "Upload-Length": "1001"]), limits: Self.limits, now: Self.now)
        }
        #expect(throws: TusError.invalidLength) {
            try upload.begin(piece(["Upload-Offset": "4", "Upload-Length": "3"]), limits: Self.limits, now: Self.now)
        }
        let last = try piece(["Upload-Offset": "4", "Upload-Length": "9"])
        #expect(try upload.begin(last, limits: Self.limits, now: Self.now) == 5)
        #expect(try upload.begin(last, limits: Self.limits, now: Self.now) == 5)
        #expect(throws: TusError.invalidLength) {
            try upload.begin(piece(["Upload-Offset": "4", "Upload-Length": "10"]), limits: Self.limits, now: Self.now)
        }
        #expect(upload.length == 9)
        #expect(TusAnswer.status(upload).fields.contains(HeaderField("Upload-Length", "9")))
    }

    @Test("Where all bytes are kept, the last piece may come once more, and an empty one behind it")
    func again() throws {
        let whole = upload(length: 10, offset: 10)
        for fields in [
            ["Upload-Offset": "4", "Content-Length": "6"], ["Upload-Offset": "0", "Content-Length": "10"],
            ["Upload-Offset": "10", "Content-Length": "0", "Upload-Length": "10"], ["Upload-Offset": "10"],
        ] {
            try whole.beginAgain(piece(fields))
        }
        for fields in [
            ["Upload-Offset": "4", "Content-Length": "5"], ["Upload-Offset": "10", "Content-Length": "1"],
            ["Upload-Offset": "4"], ["Upload-Offset": "11"],
        ] {
            #expect(throws: TusError.offsetConflict) { try whole.beginAgain(piece(fields)) }
        }
        let longer = try piece(["Upload-Offset": "10", "Content-Length": "0", "Upload-Length": "11"])
        #expect(throws: TusError.invalidLength) { try whole.beginAgain(longer) }
        let part = try piece(["Upload-Offset": "4", "Content-Length": "5"])
        #expect(throws: TusError.offsetConflict) { try upload(length: 10, offset: 9).beginAgain(part) }
    }

    @Test(
        "Errors have the statuses that clients know",
        arguments: [
            (.unsupportedVersion, 412), (.invalidLength, 400), (.invalidMetadata, 400), (.concatenation, 400),
            (.wrongContentType, 415),
            (.missingOffset, 403), (.invalidOffset, 400), (.offsetConflict, 409), (.tooLarge, 413),
            (.beyondLength, 413), (.notFound, 404),
            (.expired, 410), (.locked, 423), (.overtaken, 409), (.finished, 400),
        ] as [(TusError, Int)])
    func statuses(error: TusError, status: Int) {
        let answer = TusAnswer.failed(error)
        #expect(answer.status == status && answer.body == error.message + "\n")
        #expect(answer.fields.first == HeaderField("Tus-Resumable", "1.0.0"))
    }

    @Test("The server tells what it can do")
    func options() {
        let answer = TusAnswer.options(Self.limits)
        #expect(answer.status == 204)
        #expect(
            answer.fields.values(of: "tus-version") == ["1.0.0"] && answer.fields.values(of: "tus-max-size") == ["1000"]
        )
        #expect(
            answer.fields.values(of: "tus-extension")
                == ["creation,creation-with-upload,creation-defer-length,termination,expiration"])
    }
}
