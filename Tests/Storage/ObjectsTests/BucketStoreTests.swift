import Database
import Hashing
import Linux
import Media
import Objects
import RenderHost
import S3
import SourceFiles
import StoreSupport
import Synchronization
import TestDeadline
import TestSupport
import Testing

/// What a bucket adds to the rules that all stores keep: parts, checksums, and a network in between.
@Suite("The store in a bucket", .serialized, .deadline)
struct BucketStoreTests {
    private let server = try! TestStore.shared.get()
    private let prefix = "bucket-\(UInt64.random(in: 0...UInt64.max))/ü b"
    private let locks = LocalObjectLocks()
    private let rows = try! BucketDatabase()

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
        rows.store(server.client(at: address, patience: Self.patience), prefix: prefix, locks: locks)
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
        // SeaweedFS still lists a folder for a moment after its last object is gone.
        #expect(try pictures.contents(from: nil).digests.contains(digests[1]))
        // The files' store does not list them.
        #expect(try store().all().isEmpty)
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
        // Not `nil`: a caller that asks for facts must not mistake them for missing.
        #expect(throws: Failure.self) { try pictures.find("a", of: SHA256.digest(of: [1])) }
        #expect(asked.load(ordering: .relaxed) == count)
    }

    @Test(
        "An address that is given away reads the object from the store itself, with type and name, where that is wanted"
    )
    func givenAddresses() throws {
        let giving = rows.store(
            server.client(patience: Self.patience), prefix: prefix, locks: locks, givesAddresses: true)
        let file = try giving.begin()
        try file.append(Array("%PDF-1.7".utf8))
        try file.commit()
        let terms = DirectAddressTerms(
            seconds: 60, type: "application/pdf", disposition: "attachment; filename*=UTF-8''%C3%A4.pdf")
        #expect(try store().address(of: file.id, terms) == nil)
        let address = try #require(try giving.address(of: file.id, terms))
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
        // Even if the caller asks for more.
        let long = try #require(try giving.address(of: file.id, DirectAddressTerms(seconds: 1 << 30, type: "a/b")))
        #expect(long.contains("X-Amz-Expires=3600&"))
    }

    private func send(_ range: Range<Int>, to file: any IncomingObject, pieces: Int = 1 << 20) throws {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: pieces) {
            try file.append(Array(Self.bytes[start..<min(start + pieces, range.upperBound)]))
        }
    }

    /// All keys below the prefix.
    private func keys() throws -> [String] {
        try server.client().list(prefix: prefix, after: nil, delimiter: nil, limit: 1000).entries.map {
            String($0.key.dropFirst(prefix.count + 1))
        }
    }

    /// The folders of all keys, each once.
    private func folders() throws -> Set<Substring> { Set(try keys().map { $0.split(separator: "/")[0] }) }

    /// Stores bytes.
    private func put(_ range: Range<Int>) throws -> ObjectID {
        let file = try store().begin()
        try send(range, to: file)
        try file.commit()
        return file.id
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
        "Files of all lengths about a part and a block are whole again, and leave nothing beside objects and sums",
        arguments: [
            0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, part - 1, part, part + 1, 2 * part, 2 * part + 12_345,
            21 << 20,
        ])
    func lengths(count: Int) throws {
        let store = store()
        let file = try store.begin()
        try send(0..<count, to: file, pieces: 700_001)
        let expected = Array(Self.bytes.prefix(count))
        #expect(try file.seal() == SHA256.digest(of: expected))
        try file.commit()
        #expect(try store.open(file.id).bytes() == expected)
        let source = try store.source(file.id, name: "a")
        #expect(try source.bytes(at: 0, count: count + 1) == expected)
        #expect(try folders() == ["objects"])
        let copy = ObjectID.random()
        try store.copy(file.id, to: copy)
        #expect(try store.open(copy).bytes() == expected)
        // An object that is sent in parts has its checksums in a row, and so has one with too many blocks for the
        // metadata.
        let expectedRows: Int64? = count > Self.part ? 2 : count == Self.part ? 1 : nil
        #expect(try rows.counts()["sums"] == expectedRows)
        #expect(try store.remove(file.id) && store.remove(copy))
        #expect(try keys().isEmpty && rows.counts() == [:])
    }

    @Test("A file in parts goes on in another process from what was stored, and its digest needs no second reading")
    func resuming() throws {
        let (first, _) = store { _ in .pass }
        let file: (any IncomingObject)? = try first.begin()
        let id = file!.id
        try send(0..<(Self.part + 3_000_000), to: file!, pieces: 999_999)
        try file!.sync()
        #expect(try store().incoming(id).byteCount == Int64(Self.part + 3_000_000))
        #expect(try file!.prefix(5000) == Array(Self.bytes.prefix(5000)))
        try file!.close()
        let (second, proxy) = store { _ in .pass }
        let next = try second.resume(id)
        #expect(next.byteCount == Int64(Self.part + 3_000_000))
        #expect(try next.prefix(5000) == Array(Self.bytes.prefix(5000)))
        try send((Self.part + 3_000_000)..<(20 << 20), to: next)
        #expect(try next.seal() == SHA256.digest(of: Self.bytes.prefix(20 << 20)))
        try next.commit()
        #expect(proxy.requests.count { $0.hasPrefix("GET") } == 2, "head and tail alone are read: \(proxy.requests)")
        #expect(try store().open(id).bytes() == Array(Self.bytes.prefix(20 << 20)))
    }

    @Test("Bytes that a dead process has not synchronised are there up to the last whole part that was stored")
    func death() throws {
        // From a certain moment on, the store no longer hears the process.
        let isDead = Atomic(false)
        let (dying, _) = store { _ in isDead.load(ordering: .relaxed) ? .cut : .pass }
        var file: (any IncomingObject)? = try dying.begin()
        let id = file!.id
        try send(0..<(21 << 20), to: file!)
        while try store().incoming(id).byteCount < Int64(Self.part) {}
        isDead.store(true, ordering: .relaxed)
        file = nil
        let next = try store().resume(id)
        #expect(next.byteCount == Int64(Self.part) || next.byteCount == Int64(2 * Self.part))
        try send(Int(next.byteCount)..<(21 << 20), to: next)
        #expect(try next.seal() == SHA256.digest(of: Self.bytes))
        try next.commit()
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
        try next.commit()
        #expect(throws: ObjectError.missing) { try store().resume(id) }
        #expect(try folders() == ["objects"] && rows.counts() == ["sums": 1])
    }

    @Test("The parts of a long file lie at its place from the start: nothing is copied")
    func inPlace() throws {
        let (store, proxy) = store { _ in .pass }
        let file = try store.begin()
        try send(0..<(21 << 20), to: file)
        try file.commit()
        #expect(
            !proxy.requests.contains { $0.hasPrefix("PUT") && $0.hasSuffix("/\(file.id)") && $0.contains("/objects/") })
        #expect(try self.store().open(file.id).bytes() == Self.bytes)
    }

    @Test("A file that was sealed and is given up leaves nothing", arguments: [1000, 20 << 20])
    func sealedAndDiscarded(count: Int) throws {
        let file = try store().begin()
        try send(0..<count, to: file)
        try file.sync()
        try file.seal()
        try file.discard()
        #expect(try keys().isEmpty && rows.counts() == [:])
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
        #expect(try keys().isEmpty && rows.counts() == [:])
        let uploads = try python(
            "print(len(s3.list_multipart_uploads(Bucket=bucket, Prefix=sys.argv[1]).get('Uploads', [])))", prefix)
        #expect(uploads == "0\n")
    }

    @Test("boto3 reads what is stored here, and files that it stores at paths are read here")
    func boto3() throws {
        let id = try put(0..<(20 << 20))
        let digest = try python(
            """
            body = s3.get_object(Bucket=bucket, Key=sys.argv[1] + "/objects/" + sys.argv[2][:2] + "/" + sys.argv[2])["Body"].read()
            print(hashlib.sha256(body).hexdigest())
            s3.put_object(Bucket=bucket, Key=sys.argv[1] + "/files/v/of boto3 ü&?#%", Body=body[:3000000])
            """, prefix, id.rawValue)
        #expect(digest == SHA256.digest(of: Self.bytes.prefix(20 << 20)).hex + "\n")
        let foreign = try store().openForeign(ObjectPath("v/of boto3 ü&?#%"))
        #expect(try foreign.bytes() == Array(Self.bytes.prefix(3_000_000)))
        #expect(throws: ObjectError.missing) { try store().openForeign(ObjectPath("v/nothing")) }
        #expect(try store().all().map(\.id) == [id])
    }

    @Test("Damaged and truncated downloads are asked for again, and end with an error where they stay so")
    func damagedDownloads() throws {
        let id = try put(0..<(20 << 20))
        for fate in [FaultProxy.Fate.corrupt, .truncate, .cut] {
            let count = Atomic(0)
            let (sometimes, _) = store { request in
                guard request.line.hasPrefix("GET"), request.line.contains("/objects/") else { return .pass }
                return count.add(1, ordering: .relaxed).newValue % 3 == 0 ? .pass : fate
            }
            #expect(try sometimes.open(id).bytes() == Array(Self.bytes.prefix(20 << 20)))
            let (always, _) = store { $0.line.contains("/objects/") && $0.line.hasPrefix("GET") ? fate : .pass }
            #expect {
                try always.open(id)
            } throws: { error in
                switch (fate, error as? ObjectError) {
                case (.corrupt, .damaged), (.truncate, .unavailable), (.cut, .unavailable): true
                default: false
                }
            }
            #expect(throws: ObjectError.self) { try always.source(id, name: "a") }
        }
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
        #expect(try file.seal() == SHA256.digest(of: Self.bytes.prefix(19 << 20)))
        try file.commit()
        #expect(try store().open(file.id).bytes() == Array(Self.bytes.prefix(19 << 20)))
        #expect(try folders() == ["objects"])
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
        #expect(try file.seal() == SHA256.digest(of: Self.bytes))
        try file.commit()
    }

    @Test("A piece that the bucket stores late changes nothing of a file, and is removed as a stray")
    func latePiece() throws {
        let store = store()
        let file = try store.begin()
        try send(0..<1000, to: file)
        try file.sync()
        let piece = try #require(try keys().first { $0.hasPrefix("incoming/\(file.id)/") })
        let bytes = try server.client().read(whole: "\(prefix)/\(piece)", limit: 1 << 20).bytes
        try send(1000..<3000, to: file)
        try file.close()
        // As after a slow gateway, a restored version, or a replica that missed the removal.
        try server.client().put(bytes, as: "\(prefix)/\(piece)")
        let next = try store.resume(file.id)
        #expect(next.byteCount == 3000)
        #expect(try store.removeStrays(untouchedFor: .zero) == 1)
        try next.commit()
        #expect(try store.open(file.id).bytes() == Array(Self.bytes.prefix(3000)))
        #expect(try folders() == ["objects"] && rows.counts() == [:])
    }

    @Test("An arrival is removed with all of its pieces, those without a row too", arguments: [true, false])
    func leftPieces(hasRow: Bool) throws {
        let store = store()
        let file = try store.begin()
        try send(0..<1000, to: file)
        if hasRow { try file.sync() }
        try server.client().put([1, 2, 3], as: "\(prefix)/incoming/\(file.id)/piece")
        let other = "incoming/\(ObjectID.random())/piece"
        try server.client().put([1, 2, 3], as: "\(prefix)/\(other)")
        #expect(throws: ObjectError.busy) { try store.removeIncoming(file.id, untouchedFor: .zero) }
        if hasRow { try file.close() } else { try file.discard() }
        #expect(try store.removeIncoming(file.id, untouchedFor: .zero) == hasRow)
        #expect(try keys() == [other] && rows.counts() == [:])
        try server.client().remove("\(prefix)/\(other)")
    }

    @Test("What no row names is removed: pieces, and uploads in parts; what a row names stays")
    func strays() throws {
        let store = store()
        let file = try store.begin()
        try send(0..<(12 << 20), to: file)
        try file.sync()
        let other = ObjectID.random()
        try server.client().put([1, 2, 3], as: "\(prefix)/incoming/\(other)/piece")
        let key = "\(prefix)/objects/\(other.folder)/\(other)"
        _ = try server.client().beginParts(key, metadata: [:])
        #expect(try store.removeStrays(untouchedFor: .seconds(3600)) == 0)
        #expect(try store.removeStrays(untouchedFor: .zero) == 2)
        #expect(try server.client().uploads(prefix: prefix).count == 1)
        try send((12 << 20)..<(20 << 20), to: file)
        try file.commit()
        #expect(try store.open(file.id).bytes() == Array(Self.bytes.prefix(20 << 20)))
        #expect(try store.removeStrays(untouchedFor: .zero) == 0)
        #expect(try folders() == ["objects"])
    }

    @Test("A file whose parts a rule of the bucket has removed goes on no more")
    func endedByRule() throws {
        let store = store()
        var file: (any IncomingObject)? = try store.begin()
        let id = file!.id
        try send(0..<(9 << 20), to: file!)
        try file!.close()
        file = nil
        for upload in try server.client().uploads(prefix: prefix) {
            try server.client().abortParts(of: upload.name, upload.key)
        }
        let next = try store.resume(id)
        #expect(throws: ObjectError.missing) {
            try send((9 << 20)..<(20 << 20), to: next)
            try next.sync()
        }
        try next.discard()
        #expect(try keys().isEmpty && rows.counts() == [:])
    }

    @Test("A large copy whose maker died is found by its row, and leaves nothing")
    func deadCopy() throws {
        let id = try put(0..<(12 << 20))
        let (dying, _) = store { request in
            request.line.hasPrefix("PUT") ? FaultProxy.error("400 Bad Request", "Dead") : .pass
        }
        #expect(throws: ObjectError.self) { try dying.copy(id, to: .random()) }
        #expect(try rows.counts() == ["sums": 1], "an error is cleared up")
        // The state that the death itself leaves: rows, and perhaps the object.
        let copy = ObjectID.random()
        try rows.database.write { session in
            try session.execute(
                """
                INSERT INTO bucket_arrivals VALUES ('\(copy)', '\(copy)', 1, NULL, '', NULL, NULL, '\(Self.digest)', 0)
                """)
            try session.execute("INSERT INTO bucket_sums VALUES ('\(copy)', '\(Self.digest)', 1, '')")
        }
        #expect(try store().incoming(untouchedFor: .zero).map(\.id) == [copy])
        #expect(try store().removeIncoming(copy, untouchedFor: .zero))
        #expect(try rows.counts() == ["sums": 1])
        #expect(try store().open(id).bytes() == Array(Self.bytes.prefix(12 << 20)))
    }

    private static let digest = SHA256.digest(of: [1]).hex

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
        let store = rows.store(
            server.client(patience: Self.patience), prefix: prefix, locks: locks, memory: memory)
        let ends: [(any IncomingObject) throws -> Void] = [
            { try $0.commit() }, { try $0.close() }, { try $0.discard() },
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
        let committed = try #require(try store.all().first)
        #expect(try store.open(committed.id).bytes() == Self.bytes)
        #expect(try await store.room(for: 1000)?.byteCount == 1000)
        #expect(try await store.room(for: 0) == nil)
    }

    @Test("Readers share their memory: who gets none reads on all the same, and keeps nothing")
    func readingMemory() throws {
        let id = try put(0..<(20 << 20))
        let memory = TransferMemory(reading: 4 << 20)
        let store = rows.store(
            server.client(patience: Self.patience), prefix: prefix, locks: locks, memory: memory)
        var readers = try (0..<24).map { _ in try store.open(id) }
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
