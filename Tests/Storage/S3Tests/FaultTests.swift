import Linux
import Media
import S3
import StoreSupport
import TestDeadline
import Testing

@Suite("Whatever a store or the network does, the answer is right or a fault with a remedy", .serialized, .deadline)
struct FaultTests {
    private let store = try! TestStore.shared.get()
    private static let text = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 9) }

    /// Many attempts with short pauses.
    static var patience: S3Patience {
        var patience = S3Patience()
        patience.firstPause = .milliseconds(5)
        patience.longestPause = .milliseconds(1100)
        patience.stalling = .seconds(1)
        patience.connecting = .seconds(1)
        patience.mostTries = 4
        return patience
    }

    /// A client behind a proxy that applies these fates to the first requests, and lets all others pass.
    private func client(_ fates: FaultProxy.Fate...) -> (S3Client, FaultProxy) {
        let left = Queue(fates)
        let proxy = FaultProxy(to: store) { _ in left.next() ?? .pass }
        return (store.client(at: proxy.address, patience: Self.patience), proxy)
    }

    private func fault(_ fate: FaultProxy.Fate, tries: Int = 1, line: Int = #line) -> S3Fault? {
        let proxy = FaultProxy(to: store) { _ in fate }
        let client = store.client(at: proxy.address, patience: Self.patience)
        do throws(S3Fault) {
            _ = try client.read(whole: "started", limit: 1000)
            return nil
        } catch {
            #expect(proxy.requests.count == tries, "\(error)")
            return error
        }
    }

    @Test(
        "What passes is tried again: cuts, lost answers, 500, 503, truncated answers",
        arguments: [
            FaultProxy.Fate.cut, .silence, FaultProxy.error("500 Internal Server Error", "InternalError"),
            FaultProxy.error("503 Slow Down", "SlowDown"),
            .answer("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"),
            .answer("HTTP/1.1 429 Too Many\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
            .truncate, .reset,
        ])
    func passing(fate: FaultProxy.Fate) throws {
        let (client, proxy) = client(.pass, fate, fate)
        let key = "faults/\(UInt64.random(in: 0...UInt64.max))"
        try client.put(Self.text, as: key)
        let read = try client.read(key, 1000..<200_000)
        #expect(read.bytes == Array(Self.text[1000..<200_000]) && read.object.byteCount == 300_000)
        #expect(proxy.requests.count == 4)
        try client.remove(key)
        #expect(throws: S3Fault.missing) { try client.status(of: key) }
    }

    /// Answers with status 200 that are errors, from a store that began its answer before it knew.
    static let lateBodies = [
        "<Error><Code>CODE</Code><Message>x</Message></Error>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\n   \n<Error><Code>CODE</Code></Error>",
        "\r\n \n" + String(repeating: " \n", count: 40_000) + "<?xml version=\"1.0\"?><Error><Code>CODE</Code></Error>",
        "<?xml version=\"1.0\"?><!-- " + String(repeating: "a long prolog ", count: 20)
            + "--><s3:Error xmlns:s3=\"http://s3.amazonaws.com/doc/2006-03-01/\"><s3:Code>CODE</s3:Code></s3:Error>",
    ]

    private func ok(_ body: String) -> FaultProxy.Fate {
        .answer("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
    }

    @Test("An error in an answer with 200 is an error, wherever it stands", arguments: 0..<lateBodies.count)
    func lateErrors(index: Int) throws {
        let key = "faults/late-\(UInt64.random(in: 0...UInt64.max))"
        func late(_ code: String) -> FaultProxy.Fate {
            ok(Self.lateBodies[index].replacing("CODE", with: code))
        }
        try store.client().put(Self.text, as: key)
        let tag = try store.client().status(of: key).tag
        let operations: [(String, (S3Client) throws -> Void)] = [
            ("copy", { client in try client.copy(key, tag: tag, to: key + "-copy") }),
            ("put", { client in try client.put(Self.text, as: key + "-put") }),
            ("begin", { client in _ = try client.beginParts(key, metadata: [:]) }),
            ("complete", { client in try client.completeParts([], of: "upload", key) }),
            (
                "copy part",
                { client in
                    _ = try client.copy(part: 1, of: "upload", key, from: key, tag: tag, 0..<1)
                }
            ),
            (
                "list",
                { client in _ = try client.list(prefix: key, after: nil, delimiter: nil, limit: 1) }
            ),
        ]
        for (name, operation) in operations {
            let (client, _) = client(late("AccessDenied"), late("AccessDenied"))
            #expect(throws: S3Fault.self, "\(name)") { try operation(client) }
        }
        // A passing error is retried.
        let (client, proxy) = client(late("InternalError"))
        try client.copy(key, tag: tag, to: key + "-copy")
        #expect(proxy.requests.count == 2)
        #expect(try store.client().read(whole: key + "-copy", limit: 1 << 20).bytes == Self.text)
    }

    @Test(
        "An answer with 200 that confirms nothing is none, and bytes that look like an error are read as they are",
        arguments: ["", "   \n", "<CopyObjectResult><ETag>x</ETag>", "ok"])
    func unconfirmed(body: String) throws {
        let key = "faults/unconfirmed-\(UInt64.random(in: 0...UInt64.max))"
        let bytes = Array("<Error><Code>NoSuchKey</Code></Error>".utf8)
        try store.client().put(bytes, as: key)
        let tag = try store.client().status(of: key).tag
        let (client, proxy) = client(ok(body))
        try client.copy(key, tag: tag, to: key + "-copy")
        #expect(proxy.requests.count == 2, "it was asked for again")
        #expect(try client.read(whole: key + "-copy", limit: 100).bytes == bytes)
        let (never, _) = self.client(ok(body), ok(body), ok(body), ok(body))
        #expect(throws: S3Fault.self) { try never.completeParts([], of: "upload", key) }
    }

    @Test("A store that stalls is given up in time, and tried again")
    func stalling() throws {
        let (client, proxy) = client(.delay(milliseconds: 3000))
        let start = Time.monotonic
        #expect(try client.read(whole: "started", limit: 10).bytes == Array("x".utf8))
        #expect(proxy.requests.count == 2 && Time.monotonic - start < .seconds(3))
    }

    @Test("Bytes that are damaged on their way up are refused by the store, and sent again")
    func damagedUpload() throws {
        let (client, proxy) = client(.corruptRequest)
        try client.put(Self.text, as: "faults/damaged")
        #expect(try client.read(whole: "faults/damaged", limit: 1 << 20).bytes == Self.text)
        #expect(proxy.requests.count == 3)
    }

    @Test("After all tries the fault is told, and a pause is at least what the store asks for")
    func givingUp() throws {
        #expect(fault(FaultProxy.error("503 Slow Down", "SlowDown"), tries: 4)?.isPassing == true)
        let start = Time.monotonic
        let busy = FaultProxy.error("503 Slow Down", "SlowDown", fields: ["Retry-After: 1"])
        let (client, _) = client(busy)
        _ = try client.read(whole: "started", limit: 10)
        #expect(Time.monotonic - start >= .seconds(1))
    }

    @Test("A client whose requests all fail spends its budget, and then tries each only once")
    func budget() throws {
        let proxy = FaultProxy(to: store) { _ in .cut }
        var patience = Self.patience
        patience.firstPause = .microseconds(1)
        patience.mostTries = 10
        patience.resting = .zero
        let client = store.client(at: proxy.address, patience: patience)
        for _ in 0..<40 {
            #expect(throws: S3Fault.self) { try client.read(whole: "started", limit: 10) }
        }
        #expect(proxy.requests.count == 40 + 100)
    }

    @Test("A redirection is not followed: it tells the region")
    func redirection() {
        let redirect = FaultProxy.error(
            "301 Moved Permanently", "PermanentRedirect",
            fields: ["Location: http://127.0.0.1:1/", "x-amz-bucket-region: eu-west-3"])
        #expect(fault(redirect) == .wrongRegion(expected: "eu-west-3"))
        #expect(S3Fault.wrongRegion(expected: "eu-west-3").description.contains("set AWS_REGION=eu-west-3"))
        let plain = FaultProxy.Fate.answer(
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://x/\r\nContent-Length: 0\r\n\r\n")
        #expect(fault(plain) == .wrongRegion(expected: nil))
        let malformed = FaultProxy.error(
            "400 Bad Request", "AuthorizationHeaderMalformed", members: "<Region>eu-1</Region>")
        #expect(fault(malformed) == .wrongRegion(expected: "eu-1"))
    }

    @Test(
        "A time that the store refuses is replaced by the store's once; refused again, the clocks' difference is told")
    func clock() throws {
        let date = "Date: Mon, 01 Jan 2024 00:00:00 GMT"
        let skewed = fault(FaultProxy.error("403 Forbidden", "RequestTimeTooSkewed", fields: [date]), tries: 2)
        guard case .skewedClock(let seconds?) = skewed else {
            Issue.record("\(String(describing: skewed))")
            return
        }
        #expect(abs(seconds - (Time.wall / 1_000_000_000 - 1_704_067_200)) < 5)
        #expect(S3Fault.skewedClock(seconds: -1200).description.contains("1200 s behind"))
        // HEAD has no message. A refusal at the right time has nothing to do with clocks.
        let proxy = FaultProxy(to: store) { _ in FaultProxy.error("403 Forbidden", "", fields: [date]) }
        let client = store.client(at: proxy.address, patience: Self.patience)
        #expect {
            try client.status(of: "started")
        } throws: { error in
            guard case .denied = error as? S3Fault else { return false }
            return proxy.requests.count == 2
        }
    }

    @Test(
        "A client whose clock is wrong works by the store's, and signs addresses by it",
        arguments: [3600, -3600] as [Int64])
    func wrongClock(seconds: Int64) throws {
        let proxy = FaultProxy(to: store) { _ in .pass }
        let endpoint = S3Endpoint(proxy.address, bucket: TestStore.bucket, region: "us-east-1")!
        let client = S3Client(endpoint, TestStore.credentials, patience: Self.patience, authorities: nil) {
            Time.wall / 1_000_000_000 + seconds
        }
        #expect(try client.read(whole: "started", limit: 10).bytes == Array("x".utf8))
        #expect(proxy.requests.count == 2)
        #expect(abs(client.clockDifference - seconds) < 5)
        try client.put(Array("hello".utf8), as: "faults/clock")
        #expect(try client.status(of: "faults/clock").byteCount == 5)
        #expect(proxy.requests.count == 4)
        let direct = client.presignedAddress(of: "faults/clock", seconds: 60)
        let read = try StoreTools.run([
            "-c", "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())", direct,
        ])
        #expect(read == "hello\n")
    }

    @Test("Wrong key, secret, bucket and address are told apart, each with its remedy")
    func wrongSettings() {
        func fault(_ client: S3Client) -> S3Fault? {
            do throws(S3Fault) {
                try client.check()
                return nil
            } catch {
                return error
            }
        }
        let strangers = S3Credentials(accessKey: "stranger", secretKey: "x")
        #expect(fault(store.client(credentials: strangers, patience: Self.patience)) == .unknownKey)
        let wrong = S3Credentials(accessKey: TestStore.accessKey, secretKey: "x")
        #expect(fault(store.client(credentials: wrong, patience: Self.patience)) == .wrongSecret)
        #expect(fault(store.client(bucket: "other-bucket", patience: Self.patience)) == .noBucket("other-bucket"))
        #expect(fault(store.client(patience: Self.patience)) == nil)
        let away = fault(store.client(at: "http://127.0.0.1:1", patience: Self.patience))
        #expect(away?.isPassing == true && away?.description.contains("s3-endpoint") == true)
        // Plain HTTP where TLS is expected.
        let tls = fault(store.client(at: "https://127.0.0.1:\(store.port)", patience: Self.patience))
        guard case .away = tls else {
            Issue.record("\(String(describing: tls))")
            return
        }
    }

    @Test("A full store, a denied request and answers that are none of S3's are told")
    func refusals() {
        guard case .full = fault(FaultProxy.error("507 Insufficient Storage", "XMinioStorageFull")) else {
            Issue.record("full")
            return
        }
        guard case .denied = fault(FaultProxy.error("403 Forbidden", "AccessDenied")) else {
            Issue.record("denied")
            return
        }
        let page = "<html>\u{1B}[2J</html>"
        let strange = fault(.answer("HTTP/1.1 400 Bad\r\nContent-Length: \(page.utf8.count)\r\n\r\n\(page)"))
        #expect(strange == .refused("HTTP 400"))
        // More than was requested.
        let long = "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n" + String(repeating: "x", count: 2000)
        #expect(fault(.answer(long)) == .refused("the answer is longer than it can be"))
    }

    @Test("Success that ends with an error, as copying and completing may, is none; an object may look so")
    func lateErrors() throws {
        let late = "<Error><Code>InternalError</Code></Error>"
        let lines = ["HTTP/1.1 200 OK", "Content-Length: \(late.utf8.count)", "Connection: close", "", late]
        let (client, proxy) = client(.answer(lines.joined(separator: "\r\n")))
        try client.put(Array(late.utf8), as: "faults/error.xml")
        #expect(proxy.requests.count == 2)
        #expect(try client.read(whole: "faults/error.xml", limit: 100).bytes == Array(late.utf8))
        #expect(proxy.requests.count == 3)
    }

    @Test("An address that is signed for a time is read by anybody, until it is over")
    func presigned() throws {
        let client = store.client()
        try client.put(Array("hello".utf8), as: "signed/a b+ü")
        let read = try StoreTools.run([
            "-c", "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())",
            client.presignedAddress(of: "signed/a b+ü", seconds: 60),
        ])
        #expect(read == "hello\n")
    }

    @Test("Keys of every character that XML and addresses can carry are stored, listed and read")
    func keys() throws {
        let client = store.client()
        let characters = (0x20...0x7E).map { Character(Unicode.Scalar($0)!) } + Array("äß€😀中\u{301}\u{A0}")
        // SeaweedFS turns a backslash into a slash.
        for character in characters where character != "/" && character != "\\" {
            let key = "keys/x\(character)y"
            try client.put(Array(key.utf8), as: key)
            #expect(try client.read(whole: key, limit: 100).bytes == Array(key.utf8), "\(key)")
        }
        let listed = try client.list(prefix: "keys/", after: nil, delimiter: nil, limit: 1000).entries.map(\.key)
        let expected = characters.filter { $0 != "/" && $0 != "\\" }.map { "keys/x\($0)y" }
        #expect(Set(listed) == Set(expected) && listed.count == expected.count)
    }
}

/// Fates in order, for several threads.
private final class Queue: @unchecked Sendable {
    // Safe as Sendable: requests of one client come one after another.
    private var fates: [FaultProxy.Fate]

    init(_ fates: [FaultProxy.Fate]) { self.fates = fates }

    func next() -> FaultProxy.Fate? { fates.isEmpty ? nil : fates.removeFirst() }
}
