import Linux
import Media
import ObjectBucket
import Objects
import RenderHost
import S3
import StoreSupport
import Synchronization
import TestDeadline
import TestSupport
import Testing
import ThumbnailCache
import Thumbnailer

/// What a bucket adds to the rules that all stores keep: parts, sums, and a network between.
@Suite("The store in a bucket", .serialized, .deadline)
struct BucketStoreTests {
    private let server = try! TestStore.shared.get()
    private let prefix = "bucket-\(UInt64.random(in: 0...UInt64.max))/ü b"
    private let locks = LocalObjectLocks()

    private static let part = 8 << 20
    private static let bytes: [UInt8] = {
        var random = SplitMix(seed: 20)
        return (0..<(21 << 17)).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
    }()

    private static var patience: S3Patience {
        var patience = S3Patience()
        patience.firstPause = .milliseconds(5)
        patience.stalling = .seconds(2)
        patience.mostTries = 4
        patience.resting = .zero
        return patience
    }

    private func store(at address: String? = nil) -> BucketStore {
        BucketStore(server.client(at: address, patience: Self.patience), prefix: prefix, locks: locks)
    }

    /// A store behind a proxy.
    private func store(_ decide: @escaping @Sendable (FaultProxy.Request) -> FaultProxy.Fate) -> (
        BucketStore, FaultProxy
    ) {
        let proxy = FaultProxy(to: server, decide)
        return (store(at: proxy.address), proxy)
    }

    @Test("Pictures are kept by content and name, and go with their content")
    func pictures() throws {
        let pictures = BucketPictures(server.client(patience: Self.patience), prefix: prefix)
        let digests = (1...2).map { SHA256.digest(of: [UInt8($0)]) }
        #expect(try pictures.find("a.picture", of: digests[0]) == nil)
        try pictures.keep([1, 2, 3], as: "a.picture", of: digests[0])
        try pictures.keep([], as: "b.picture", of: digests[0])
        try pictures.keep([4], as: "a.picture", of: digests[1])
        #expect(try pictures.find("a.picture", of: digests[0]) == [1, 2, 3])
        #expect(try pictures.find("b.picture", of: digests[0]) == [])
        #expect(try Set(pictures.contents(from: nil).digests) == Set(digests))
        try pictures.remove(digests[0])
        #expect(try pictures.find("a.picture", of: digests[0]) == nil)
        #expect(try pictures.find("a.picture", of: digests[1]) == [4])
        // SeaweedFS lists a folder for a moment after its last object has gone.
        #expect(try pictures.contents(from: nil).digests.contains(digests[1]))
        // The files' store does not list them.
        #expect(try store().list(prefix: "", after: nil, limit: 9).elements.isEmpty)
    }

    @Test("Whether pictures can be kept is found out by writing, of which nothing shows")
    func probing() throws {
        let refuses = Atomic(true)
        let proxy = FaultProxy(to: server) { request in
            let isRefused = refuses.load(ordering: .relaxed) && request.line.hasPrefix("PUT")
            return isRefused ? FaultProxy.error("507 Insufficient Storage", "XMinioStorageFull") : .pass
        }
        let pictures = BucketPictures(server.client(at: proxy.address, patience: Self.patience), prefix: prefix)
        #expect(throws: Failure.self) { try pictures.probe() }
        refuses.store(false, ordering: .relaxed)
        try pictures.probe()
        #expect(try pictures.contents(from: nil).digests.isEmpty)
    }

    @Test("A bucket that is away is left alone for some seconds, and is a fault that says so")
    func awayPictures() throws {
        let asked = Atomic(0)
        let proxy = FaultProxy(to: server) { _ in
            asked.add(1, ordering: .relaxed)
            return .cut
        }
        var patience = Self.patience
        patience.resting = .seconds(60)
        let pictures = BucketPictures(server.client(at: proxy.address, patience: patience), prefix: prefix)
        #expect(throws: Failure.self) { try pictures.find("a", of: SHA256.digest(of: [1])) }
        let count = asked.load(ordering: .relaxed)
        #expect(count > 0)
        // Not `nil`: whoever asks for facts must not take them for missing.
        #expect(throws: Failure.self) { try pictures.find("a", of: SHA256.digest(of: [1])) }
        #expect(asked.load(ordering: .relaxed) == count)
    }

    @Test(
        "An address that is given away reads the object from the store itself, with type and name, where that is wanted"
    )
    func givenAddresses() throws {
        let giving = BucketStore(
            server.client(patience: Self.patience), prefix: prefix, locks: locks, givesAddresses: true)
        let file = try giving.begin()
        try file.append(Array("%PDF-1.7".utf8))
        let path = try ObjectPath("u/ä b+%.pdf")
        _ = try file.commit(to: path, replacing: false)
        let terms = DirectAddressTerms(
            seconds: 60, type: "application/pdf", disposition: "attachment; filename*=UTF-8''%C3%A4.pdf")
        #expect(try store().address(of: path, terms) == nil)
        let address = try #require(try giving.address(of: path, terms))
        let read = try StoreTools.run(
            [
                "-c",
                """
                import sys, urllib.request
                answer = urllib.request.urlopen(urllib.request.Request(sys.argv[1], headers={"Range": "bytes=1-3"}))
                print(answer.status, answer.headers["Content-Type"], answer.headers["Content-Disposition"], answer.read().decode())
                try:
                    urllib.request.urlopen(sys.argv[1].replace("X-Amz-Expires=60", "X-Amz-Expires=61"))
                except urllib.error.HTTPError as error:
                    print(error.status)
                """, address,
            ])
        #expect(read == "206 application/pdf attachment; filename*=UTF-8''%C3%A4.pdf PDF\n403\n")
        // However long the caller would have it.
        let long = try #require(try giving.address(of: path, DirectAddressTerms(seconds: 1 << 30, type: "a/b")))
        #expect(long.contains("X-Amz-Expires=3600&"))
    }

    private func send(_ range: Range<Int>, to file: any IncomingObject, pieces: Int = 1 << 20) throws {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: pieces) {
            try file.append(Array(Self.bytes[start..<min(start + pieces, range.upperBound)]))
        }
    }

    /// All keys below the prefix but those by which the order of lists is found out.
    private func keys() throws -> [String] {
        try server.client().list(prefix: prefix, after: nil, delimiter: nil, limit: 1000).entries.map {
            String($0.key.dropFirst(prefix.count + 1))
        }.filter { !$0.hasPrefix("order/") }
    }

    private func python(_ text: String, _ arguments: String...) throws -> String {
        let head = """
            import boto3, hashlib, sys
            s3 = boto3.client("s3", endpoint_url="\(server.address)", region_name="us-east-1",
                aws_access_key_id="\(TestStore.accessKey)", aws_secret_access_key="\(TestStore.secretKey)")
            bucket = "\(TestStore.bucket)"

            """
        return try StoreTools.run(["-c", head + text] + arguments)
    }

    @Test(
        "Files of all lengths about a part and a block are whole again, and leave nothing beside object and sums",
        arguments: [
            0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, part - 1, part, part + 1, 2 * part, 2 * part + 12_345,
            21 << 20,
        ])
    func lengths(count: Int) throws {
        let store = store()
        let file = try store.begin()
        try send(0..<count, to: file, pieces: 700_001)
        let expected = Array(Self.bytes.prefix(count))
        let stored = try file.commit(to: .of("u/a"), replacing: false)
        #expect(stored.digest == SHA256.digest(of: expected) && stored.byteCount == Int64(count))
        #expect(try store.open(.of("u/a")).bytes() == expected)
        let source = try store.source(.of("u/a"))
        #expect(try source.bytes(at: 0, count: count + 1) == expected)
        let large = count > 8 << 20
        #expect(try keys().map { $0.split(separator: "/")[0] } == (large ? ["files", "sums"] : ["files"]))
        _ = try store.copy(.of("u/a"), to: .of("u/b"), replacing: false)
        try store.move(.of("u/b"), to: .of("v/c"), replacing: false)
        #expect(try store.open(.of("v/c")).bytes() == expected)
        #expect(try store.remove(.of("u/a")) && store.remove(.of("v/c")))
        #expect(try keys().isEmpty)
    }

    @Test("A file in parts goes on in another process from what was stored, and its digest needs no second reading")
    func resuming() throws {
        let (first, _) = store { _ in .pass }
        let file: (any IncomingObject)? = try first.begin()
        let id = file!.id
        try send(0..<(Self.part + 3_000_000), to: file!, pieces: 999_999)
        try file!.sync()
        #expect(try store().status(of: id).byteCount == Int64(Self.part + 3_000_000))
        #expect(try file!.prefix(5000) == Array(Self.bytes.prefix(5000)))
        try file!.close()
        let (second, proxy) = store { _ in .pass }
        let next = try second.resume(id)
        #expect(next.byteCount == Int64(Self.part + 3_000_000))
        #expect(try next.prefix(5000) == Array(Self.bytes.prefix(5000)))
        try send((Self.part + 3_000_000)..<(20 << 20), to: next)
        let stored = try next.commit(to: .of("u/a"), replacing: false)
        #expect(stored.digest == SHA256.digest(of: Self.bytes.prefix(20 << 20)))
        #expect(proxy.requests.count { $0.hasPrefix("GET") } == 1, "the record alone is read: \(proxy.requests)")
        #expect(try store().open(.of("u/a")).bytes() == Array(Self.bytes.prefix(20 << 20)))
    }

    @Test("Bytes that a dead process has not synchronised are there up to the last whole part that was stored")
    func death() throws {
        // From a moment on the store does not hear the process.
        let isDead = Atomic(false)
        let (dying, _) = store { _ in isDead.load(ordering: .relaxed) ? .cut : .pass }
        var file: (any IncomingObject)? = try dying.begin()
        let id = file!.id
        try send(0..<(21 << 20), to: file!)
        while try store().status(of: id).byteCount < Int64(Self.part) {}
        isDead.store(true, ordering: .relaxed)
        file = nil
        let next = try store().resume(id)
        #expect(next.byteCount == Int64(Self.part) || next.byteCount == Int64(2 * Self.part))
        try send(Int(next.byteCount)..<(21 << 20), to: next)
        #expect(try next.commit(to: .of("u/a"), replacing: false).digest == SHA256.digest(of: Self.bytes))
    }

    @Test("A sealed file of many parts is read by its blocks, and committed by the next holder")
    func sealed() throws {
        var file: (any IncomingObject)? = try store().begin()
        let id = file!.id
        try send(0..<(21 << 20), to: file!)
        #expect(throws: ObjectError.self) { try file!.source(name: "a") }
        let digest = try file!.seal()
        let source = try file!.source(name: "a.bin")
        #expect(source.byteCount == 21 << 20 && source.becomesSecure && source.name == "a.bin")
        #expect(try source.bytes(at: 13 << 20, count: 8 << 20).elementsEqual(Self.bytes[(13 << 20)...]))
        #expect(source.ranged?.fetched.byteCount == 8 << 20, "no more than was asked for")
        #expect(try source.bytes(at: 0, count: 21 << 20) == Self.bytes)
        #expect(try source.digest { false } == digest)
        try file!.close()
        file = nil
        let next = try store().resume(id)
        #expect(try next.seal() == digest && next.byteCount == 21 << 20)
        #expect(try next.commit(to: .of("u/a"), replacing: false).digest == digest)
        #expect(throws: ObjectError.missing) { try store().resume(id) }
        #expect(try keys().count == 2)
    }

    @Test(
        "A file whose path is told before is never copied, and goes on there in another process",
        arguments: [false, true])
    func intended(isResumed: Bool) throws {
        let (first, proxy) = store { _ in .pass }
        var file: (any IncomingObject)? = try first.begin()
        let id = file!.id
        file!.intend(.of("u/a"))
        try send(0..<(12 << 20), to: file!)
        try file!.sync()
        #expect(try store().list(prefix: "", after: nil, limit: 9).elements.isEmpty)
        if isResumed {
            try file!.close()
            file = try first.resume(id)
            #expect(file!.intendedPath?.text == "u/a")
        }
        try send((12 << 20)..<(21 << 20), to: file!)
        let digest = try file!.seal()
        #expect(try file!.source(name: "a").byteCount == 21 << 20)
        if isResumed {
            try file!.close()
            file = try first.resume(id)
        }
        #expect(try file!.commit(to: .of("u/a"), replacing: false).digest == digest)
        #expect(!proxy.requests.contains { $0.hasPrefix("PUT") && $0.hasSuffix("/files/u/a") }, "\(proxy.requests)")
        #expect(try store().open(.of("u/a")).bytes() == Self.bytes)
        #expect(try keys().map { $0.split(separator: "/")[0] } == ["files", "sums"])
        #expect(throws: ObjectError.missing) { try store().resume(id) }
        #expect(try store().remove(.of("u/a")) && keys().isEmpty)
    }

    @Test("A told path binds nobody: what is there stays, and the file may go elsewhere or nowhere")
    func intendedElsewhere() throws {
        let store = store()
        let old = try store.begin()
        try old.append([1, 2, 3])
        _ = try old.commit(to: .of("u/old"), replacing: false)
        // Taken from the start: the parts go elsewhere.
        let second = try store.begin()
        second.intend(.of("u/old"))
        try send(0..<(20 << 20), to: second)
        #expect(throws: ObjectError.taken) { try second.commit(to: .of("u/old"), replacing: false) }
        _ = try second.commit(to: .of("u/second"), replacing: false)
        // Taken in the meantime.
        let third = try store.begin()
        third.intend(.of("u/third"))
        try send(0..<(20 << 20), to: third)
        try third.sync()
        try store.move(.of("u/old"), to: .of("u/third"), replacing: false)
        #expect(throws: ObjectError.taken) { try third.seal() }
        try third.discard()
        #expect(try store.open(.of("u/third")).bytes() == [1, 2, 3])
        // Sealed there, and committed elsewhere or given up.
        for isCommitted in [true, false] {
            let file = try store.begin()
            file.intend(.of("u/fourth"))
            try send(0..<(20 << 20), to: file)
            try file.seal()
            if isCommitted { _ = try file.commit(to: .of("u/fifth"), replacing: false) } else { try file.discard() }
        }
        #expect(
            try store.list(prefix: "", after: nil, limit: 9).elements.map(\.path.text) == [
                "u/fifth", "u/second", "u/third",
            ])
        #expect(try store.open(.of("u/fifth")).bytes() == Array(Self.bytes.prefix(20 << 20)))
        #expect(try keys().count { $0.hasPrefix("sums/") } == 2 && keys().count == 5)
    }

    @Test("Parts that are given up leave nothing, by their holder or by a sweep", arguments: [false, true])
    func discarding(bySweep: Bool) throws {
        var file: (any IncomingObject)? = try store().begin()
        let id = file!.id
        try send(0..<(21 << 20), to: file!)
        if bySweep {
            try file!.close()
            file = nil
            #expect(try store().incoming(untouchedFor: .zero).map(\.byteCount) == [21 << 20])
            #expect(try store().removeIncoming(id, untouchedFor: .zero))
        } else {
            try file!.discard()
        }
        #expect(try keys().isEmpty)
        let uploads = try python(
            "print(len(s3.list_multipart_uploads(Bucket=bucket, Prefix=sys.argv[1]).get('Uploads', [])))", prefix)
        #expect(uploads == "0\n")
    }

    @Test("boto3 reads what is stored here, and objects that it stores are read, copied and listed here")
    func boto3() throws {
        let file = try store().begin()
        try send(0..<(20 << 20), to: file)
        let stored = try file.commit(to: .of("u/ä b+c&'\"#%?.pdf"), replacing: false)
        let digest = try python(
            """
            body = s3.get_object(Bucket=bucket, Key=sys.argv[1] + "/files/u/ä b+c&'\\"#%?.pdf")["Body"].read()
            print(hashlib.sha256(body).hexdigest())
            s3.put_object(Bucket=bucket, Key=sys.argv[1] + "/files/v/of boto3 ü", Body=body[:3000000])
            """, prefix)
        #expect(digest == stored.digest.hex + "\n")
        let expected = Array(Self.bytes.prefix(3_000_000))
        #expect(try store().open(.of("v/of boto3 ü")).bytes() == expected)
        let copy = try store().copy(.of("v/of boto3 ü"), to: .of("v/copy"), replacing: false)
        #expect(copy.digest == SHA256.digest(of: expected))
        let listed = try store().list(prefix: "", after: nil, limit: 9).elements.map(\.path.text)
        #expect(listed == ["u/ä b+c&'\"#%?.pdf", "v/copy", "v/of boto3 ü"])
    }

    @Test("A walk lists each folder once, however few objects it is asked for at a time")
    func walking() throws {
        let paths = ["u/a", "u/b", "v/a", "v/w/a", "x"]
        for path in paths {
            let file = try store().begin()
            try file.append(Array(path.utf8))
            _ = try file.commit(to: .of(path), replacing: false)
        }
        let (store, proxy) = store { _ in .pass }
        let walk = try store.walk()
        var found: [String] = []
        while let next = try walk.next(1) { found += next.map(\.path.text) }
        #expect(found == paths)
        let lists = proxy.requests.filter { $0.contains("delimiter=") }
        #expect(Set(lists).count == lists.count && lists.count <= 4, "\(lists)")
    }

    @Test("Damaged and truncated downloads are asked for again, and end with an error where they stay so")
    func damagedDownloads() throws {
        let file = try store().begin()
        try send(0..<(20 << 20), to: file)
        _ = try file.commit(to: .of("u/a"), replacing: false)
        for fate in [FaultProxy.Fate.corrupt, .truncate, .cut] {
            let count = Atomic(0)
            let (sometimes, _) = store { request in
                guard request.line.hasPrefix("GET"), request.line.contains("/files/") else { return .pass }
                return count.add(1, ordering: .relaxed).newValue % 3 == 0 ? .pass : fate
            }
            #expect(try sometimes.open(.of("u/a")).bytes() == Array(Self.bytes.prefix(20 << 20)))
            let (always, _) = store { $0.line.contains("/files/") && $0.line.hasPrefix("GET") ? fate : .pass }
            #expect {
                try always.open(.of("u/a"))
            } throws: { error in
                if case .unavailable = error as? ObjectError { true } else { false }
            }
            #expect(throws: ObjectError.self) { try always.source(.of("u/a")) }
        }
    }

    @Test("An object that is replaced while it is read ends its reading, and never mixes with the new one")
    func replacedWhileRead() throws {
        let file = try store().begin()
        try send(0..<(20 << 20), to: file)
        _ = try file.commit(to: .of("u/a"), replacing: false)
        let reader = try store().open(.of("u/a"))
        let other = try store().begin()
        try send((1 << 20)..<(21 << 20), to: other)
        _ = try other.commit(to: .of("u/a"), replacing: true)
        #expect(throws: ObjectError.missing) { try reader.bytes() }
        #expect(try store().open(.of("u/a")).bytes() == Array(Self.bytes[(1 << 20)..<(21 << 20)]))
        #expect(try keys().count == 2, "the sums of the first are gone")
    }

    @Test(
        "An upload goes on through faults of every request, and what it stores is whole",
        arguments: [FaultProxy.Fate.cut, .silence, .corruptRequest, FaultProxy.error("503 Slow Down", "SlowDown")])
    func faultyUploads(fate: FaultProxy.Fate) throws {
        let count = Atomic(0)
        let (faulty, _) = store { _ in count.add(1, ordering: .relaxed).newValue % 2 == 0 ? .pass : fate }
        let file = try faulty.begin()
        try send(0..<(19 << 20), to: file)
        try file.sync()
        let stored = try file.commit(to: .of("u/a"), replacing: false)
        #expect(stored.digest == SHA256.digest(of: Self.bytes.prefix(19 << 20)))
        #expect(try store().open(.of("u/a")).bytes() == Array(Self.bytes.prefix(19 << 20)))
        #expect(try keys().map { $0.split(separator: "/")[0] } == ["files", "sums"])
    }

    @Test("A store that is away or full takes nothing in silence, and the same upload goes on when it is back")
    func away() throws {
        let isAway = Atomic(false)
        let (store, _) = store { _ in
            isAway.load(ordering: .relaxed) ? FaultProxy.error("507 Insufficient Storage", "XMinioStorageFull") : .pass
        }
        let file = try store.begin()
        try send(0..<(9 << 20), to: file)
        try file.sync()
        isAway.store(true, ordering: .relaxed)
        var position = 9 << 20
        #expect {
            while position < 21 << 20 {
                try send(position..<(position + (1 << 20)), to: file)
                position += 1 << 20
            }
            try file.sync()
        } throws: { error in
            if case .noSpace = error as? ObjectError { true } else { false }
        }
        #expect(file.byteCount == Int64(position))
        isAway.store(false, ordering: .relaxed)
        try send(position..<(21 << 20), to: file)
        #expect(try file.commit(to: .of("u/a"), replacing: false).digest == SHA256.digest(of: Self.bytes))
    }

    @Test("A path with a backslash, or too long with its prefix, is refused, and is no object")
    func refusedPaths() throws {
        let path = ObjectPath.of(Array(repeating: String(repeating: "a", count: 204), count: 5).joined(separator: "/"))
        let file = try store().begin()
        try file.append([1])
        #expect(throws: ObjectError.tooLong) { try file.commit(to: path, replacing: false) }
        #expect(throws: ObjectError.missing) { try store().open(path) }
        #expect(try !store().remove(path))
        #expect(throws: ObjectError.self) { try file.commit(to: .of("a\\b"), replacing: false) }
        #expect(throws: ObjectError.missing) { try store().open(.of("a\\b")) }
        _ = try file.commit(to: .of("a"), replacing: false)
    }

    // MARK: Records that are there again

    @Test(
        "A record that is there again after its removal takes nothing that a row names, by a sweep or by a discard",
        arguments: [true, false], [true, false])
    func resurrected(bySweep: Bool, isNamed: Bool) throws {
        let rows = StandInRows()
        let store = BucketStore(
            server.client(patience: Self.patience), prefix: prefix, locks: locks, references: rows)
        let file = try store.begin()
        file.intend(.of("u/a"))
        try send(0..<(12 << 20), to: file)
        try file.seal()
        let key = "\(prefix)/incoming/\(file.id)"
        let record = try server.client().read(whole: key, limit: 1 << 20)
        _ = try file.commit(to: .of("u/a"), replacing: false)
        if isNamed { rows.name(.of("u/a")) }
        // A gateway that was slow, a version that was restored, a replica that missed the removal.
        try server.client().put(record.bytes, as: key, metadata: record.object.metadata)
        if bySweep {
            #expect(try store.removeIncoming(file.id, untouchedFor: .zero))
        } else {
            try store.resume(file.id).discard()
        }
        #expect(try store.incoming(untouchedFor: .zero).isEmpty)
        guard isNamed else {
            #expect(try keys().isEmpty, "what no row names goes")
            return
        }
        #expect(try store.open(.of("u/a")).bytes() == Array(Self.bytes.prefix(12 << 20)))
        #expect(try keys().map { $0.split(separator: "/")[0] } == ["files", "sums"])
    }

    @Test("A record that is there again after its file was moved takes no sums of the file")
    func resurrectedBesideMoved() throws {
        let store = store()
        let file = try store.begin()
        file.intend(.of("u/a"))
        try send(0..<(12 << 20), to: file)
        try file.seal()
        let key = "\(prefix)/incoming/\(file.id)"
        let record = try server.client().read(whole: key, limit: 1 << 20)
        let stored = try file.commit(to: .of("u/a"), replacing: false)
        try store.move(.of("u/a"), to: .of("u/b"), replacing: false)
        try server.client().put(record.bytes, as: key, metadata: record.object.metadata)
        #expect(try store.removeIncoming(file.id, untouchedFor: .zero))
        #expect(try keys().map { $0.split(separator: "/")[0] } == ["files", "sums"])
        #expect(try store.copy(.of("u/b"), to: .of("u/c"), replacing: false).digest == stored.digest)
    }

    // MARK: Memory

    @Test("A file that is released without an end sends nothing, and what was not synchronised is not there")
    func released() throws {
        let (store, proxy) = store { _ in .pass }
        var file: (any IncomingObject)? = try store.begin()
        let id = file!.id
        try send(0..<1000, to: file!)
        try file!.sync()
        try send(1000..<3000, to: file!)
        let count = proxy.requests.count
        file = nil
        #expect(proxy.requests.count == count, "\(proxy.requests)")
        #expect(try self.store().resume(id).byteCount == 1000)
    }

    @Test("Uploads hold what they have reserved and no more, and give it back at each end", arguments: [1, 3])
    func uploadMemory(partCount: Int) async throws {
        let memory = TransferMemory(uploads: partCount * Self.part)
        let store = BucketStore(server.client(patience: Self.patience), prefix: prefix, locks: locks, memory: memory)
        let ends: [(any IncomingObject) throws -> Void] = [
            { _ = try $0.commit(to: .of("u/a"), replacing: true) }, { try $0.close() }, { try $0.discard() },
        ]
        for end in ends {
            let file = try store.begin(in: try await store.room(for: nil))
            for start in stride(from: 0, to: 21 << 20, by: 1 << 20) {
                try send(start..<(start + (1 << 20)), to: file)
                #expect(memory.uploads.usedByteCount <= min(2, partCount) * Self.part)
            }
            #expect(memory.uploads.usedByteCount >= Self.part)
            try end(file)
            #expect(memory.uploads.usedByteCount == 0)
        }
        #expect(try store.open(.of("u/a")).bytes() == Self.bytes)
        #expect(try await store.room(for: 1000)?.byteCount == 1000)
        #expect(try await store.room(for: 0) == nil)
    }

    @Test("Readers share their memory: who gets none reads on all the same, and keeps nothing")
    func readingMemory() throws {
        let file = try store().begin()
        try send(0..<(20 << 20), to: file)
        _ = try file.commit(to: .of("u/a"), replacing: false)
        let memory = TransferMemory(reading: 4 << 20)
        let store = BucketStore(server.client(patience: Self.patience), prefix: prefix, locks: locks, memory: memory)
        var readers = try (0..<24).map { _ in try store.open(.of("u/a")) }
        var piece = [UInt8](repeating: 0, count: 200_000)
        for start in stride(from: 0, to: 2_000_000, by: piece.count) {
            for reader in readers {
                let count = try piece.withUnsafeMutableBytes { buffer in
                    Result { () throws(ObjectError) in try reader.read(into: buffer, at: Int64(start)) }
                }.get()
                #expect(piece[..<count].elementsEqual(Self.bytes[start..<(start + count)]))
                #expect(count == piece.count && memory.reading.usedByteCount <= 4 << 20)
            }
        }
        #expect(memory.reading.usedByteCount > 0)
        readers = []
        #expect(memory.reading.usedByteCount == 0)
    }
}
