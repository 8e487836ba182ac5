import Linux
import Media
import TestDeadline
import Testing
import ThumbnailCache

@Suite("Texts of pages in the cache", .deadline)
struct PageTextStoreTests {
    private static func text(page pageIndex: Int, words: Int = 3) -> PageText {
        let place = PageText.Rectangle(left: 1.5, top: 2, width: 30, height: 12)
        return PageText(
            pageIndex: pageIndex, pageCount: 200, width: 100, height: 200,
            words: Array(repeating: PageText.Word("Wört", at: place, ending: .line), count: words))
    }

    private static func place(page pageNumber: Int) -> String { "\(Samples.key().folder)/text-p\(pageNumber).json" }

    private static func text(in cache: FolderCache, page pageIndex: Int, build: String? = nil) -> StoredText? {
        cache.text(of: Samples.key(), .page(pageIndex), currentBuild: { build })
    }

    @Test("The text of each page is found again under its own name, however long it is")
    func stored() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        try cache.storeText(.page(Self.text(page: 16)), for: Samples.key())
        try cache.storeText(.page(Self.text(page: 1, words: PageText.mostWords)), for: Samples.key())
        #expect(try scratch.status(Self.place(page: 17)).isRegularFile)
        #expect(Self.text(in: cache, page: 16) == .text(.page(Self.text(page: 16))))
        #expect(Self.text(in: cache, page: 1) == .text(.page(Self.text(page: 1, words: PageText.mostWords))))
        #expect(Self.text(in: cache, page: 0) == nil)
        #expect(cache.text(of: Samples.key(2), .page(16), currentBuild: { nil }) == nil)
        #expect(cache.verify().isEmpty)
    }

    @Test("A failure counts for its build; one of the machine for minutes; one of the call is not kept")
    func failures() throws {
        let scratch = try ScratchFolder()
        let clock = TestClock()
        let cache = FolderCache(path: scratch.path, files: LinuxFileSystem()) { clock.now }
        for (page, code) in [Failure.Code.corrupt, .crashed, .usage].enumerated() {
            try cache.storeTextFailure(Failure(code), build: "b", for: Samples.key(), .page(page))
        }
        func failure(_ page: Int, _ build: String = "b") -> Failure.Code? {
            guard case .failure(let stored) = Self.text(in: cache, page: page, build: build) else { return nil }
            return stored.failure.code
        }
        #expect([failure(0), failure(0, "c"), failure(1, "c"), failure(2)] == [.corrupt, nil, .crashed, nil])
        clock.advance(by: StoredFailure.transientLifetime + .seconds(1))
        #expect([failure(0), failure(1)] == [.corrupt, nil])
        try cache.storeText(.page(Self.text(page: 0)), for: Samples.key())
        #expect(Self.text(in: cache, page: 0) == .text(.page(Self.text(page: 0))))
    }

    @Test("Damage is a miss that is counted, listed and repaired; so is the text of another page")
    func damage() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        try cache.storeText(.page(Self.text(page: 0)), for: Samples.key())
        try cache.storeText(.page(Self.text(page: 1)), for: Samples.key())
        var bytes = try scratch.read(Self.place(page: 1))
        try scratch.write(bytes, to: Self.place(page: 3))
        bytes[40] ^= 1
        try scratch.write(bytes, to: Self.place(page: 1))
        #expect(Self.text(in: cache, page: 0) == nil)
        #expect(Self.text(in: cache, page: 2) == nil)
        #expect(cache.statistics().damaged == 2)
        #expect(cache.verify(repair: true).map(\.place) == [Self.place(page: 1)])
        #expect(cache.verify().isEmpty)
        #expect(Self.text(in: cache, page: 1) != nil)
    }

    @Test(
        "Texts that were read together share a file of 128 pages, are found alone and together, and grow with later ones"
    )
    func series() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        func texts(_ pages: Range<Int>) -> [PageText] { pages.map { Self.text(page: $0) } }
        try cache.storeTexts(texts(126..<134), for: Samples.key())
        #expect(cache.statistics().texts == 2, "pages 127 and 128, and those from 129 on")
        #expect(Self.text(in: cache, page: 127) == .text(.page(Self.text(page: 127))))
        #expect(Self.text(in: cache, page: 125) == nil)
        #expect(cache.pages(of: Samples.key(), from: 126, atMost: 20) == texts(126..<128))
        #expect(cache.pages(of: Samples.key(), from: 130, atMost: 3) == texts(130..<133))
        try cache.storeTexts(texts(134..<136), for: Samples.key())
        #expect(cache.pages(of: Samples.key(), from: 128, atMost: 64) == texts(128..<136))
        #expect(cache.pages(of: Samples.key(), from: 136, atMost: 1).isEmpty)
        #expect(cache.verify().isEmpty)
    }

    @Test("A text in a series takes the place of its page's failure, and a later failure or text that of the series'")
    func seriesBesidePages() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        try cache.storeTextFailure(Failure(.corrupt), build: "b", for: Samples.key(), .page(1))
        try cache.storeTexts((0..<4).map { Self.text(page: $0) }, for: Samples.key())
        #expect(Self.text(in: cache, page: 1, build: "b") == .text(.page(Self.text(page: 1))))
        try cache.storeText(.page(Self.text(page: 2, words: 7)), for: Samples.key())
        #expect(Self.text(in: cache, page: 2) == .text(.page(Self.text(page: 2, words: 7))))
        try cache.storeTextFailure(Failure(.corrupt), build: "b", for: Samples.key(), .page(3))
        guard case .failure = Self.text(in: cache, page: 3, build: "b") else {
            return #expect(Bool(false), "the failure is the latest word")
        }
    }

    @Test("Pages that make a series too long have files of their own")
    func longSeries() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        let pages = (0..<6).map { Self.text(page: $0, words: PageText.mostWords) }
        try cache.storeTexts(pages, for: Samples.key())
        for page in pages { #expect(Self.text(in: cache, page: page.pageIndex) == .text(.page(page))) }
        #expect(cache.statistics().texts > 1)
    }

    @Test("Damage in a series loses one page, is counted and listed")
    func seriesDamage() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        try cache.storeTexts((0..<4).map { Self.text(page: $0) }, for: Samples.key())
        let place = "\(Samples.key().folder)/texts-p1.json"
        var bytes = try scratch.read(place)
        bytes[bytes.count / 2 + 40] ^= 1
        try scratch.write(bytes, to: place)
        #expect((0..<4).filter { Self.text(in: cache, page: $0) == nil } == [2])
        #expect(cache.statistics().damaged == 1)
        #expect(cache.verify(repair: true).map(\.place) == [place])
        #expect(Self.text(in: cache, page: 0) == nil)
    }

    @Test("Texts are counted, and go with their entry or for the budget")
    func removed() throws {
        let scratch = try ScratchFolder()
        let clock = TestClock()
        let cache = FolderCache(path: scratch.path, files: LinuxFileSystem()) { clock.now }
        for page in 0..<10 {
            try cache.storeText(.page(Self.text(page: page, words: 3000)), for: Samples.key())
            scratch.setTimes(Self.place(page: page + 1), to: clock.now)
            clock.advance(by: .seconds(3600))
        }
        try cache.storeFacts(Samples.facts, for: Samples.key())
        #expect(cache.statistics().texts == 10)
        let before = cache.statistics().byteCount
        #expect(before > 10 * 80_000)
        #expect(cache.needsCollection(budget: before - 1))
        let report = try #require(try cache.collect(budget: before / 2))
        #expect((5...7).contains(report.evictedTexts))
        #expect(report.foreign.count == 0)
        #expect(Self.text(in: cache, page: 0) == nil)
        #expect(Self.text(in: cache, page: 9) != nil, "the last one read stays")
        #expect(try cache.purge(Samples.digest(1)))
        #expect(cache.statistics().entries == 0)
        #expect((try? scratch.status(Samples.key().folder)) == nil)
    }

    @Test("The text of a whole document is kept beside those of pages")
    func document() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        let cell = TextParagraph.Cell(table: 1, row: 2, column: 3)
        let text = DocumentText(
            paragraphs: [
                TextParagraph("Wört\tzwei\n", style: .heading), TextParagraph("b", page: 7, style: .listItem),
                TextParagraph("", cell: cell),
            ], isCut: true)
        try cache.storeText(.document(text), for: Samples.key())
        try cache.storeText(.page(Self.text(page: 0)), for: Samples.key())
        #expect(try scratch.status("\(Samples.key().folder)/text.json").isRegularFile)
        #expect(cache.text(of: Samples.key(), .document, currentBuild: { nil }) == .text(.document(text)))
        #expect(cache.statistics().texts == 2)
        #expect(cache.verify().isEmpty)
        try cache.storeTextFailure(Failure(.encrypted), build: "b", for: Samples.key(), .document)
        guard case .failure(let stored) = cache.text(of: Samples.key(), .document, currentBuild: { "b" }) else {
            return #expect(Bool(false), "the failure is kept in place of the text")
        }
        #expect(stored.failure.code == .encrypted)
        try scratch.write(try scratch.read(Self.place(page: 1)), to: "\(Samples.key().folder)/text.json")
        #expect(cache.text(of: Samples.key(), .document, currentBuild: { nil }) == nil, "the text of another part")
    }

    @Test(
        "A file with a similar name is no text",
        arguments: [
            "text-p0.json", "text-p01.json", "text-p1.txt", "text-p-1.json", "text-p+1.json", "text-p.1.json",
            "texts-p2.json", "texts-p01.json", "texts-p65.json", "texts-p1.txt",
        ])
    func foreign(name: String) throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        try cache.storeText(.page(Self.text(page: 0)), for: Samples.key())
        try scratch.write([1], to: "\(Samples.key().folder)/\(name)")
        #expect(cache.statistics().texts == 1)
    }

    @Test("An entry under a stat key takes its texts along to the digest")
    func promoted() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        let status = try FileStatus.sample(in: scratch)
        let local = StatKey(of: status)
        try cache.storeText(.page(Self.text(page: 4)), for: .local(local))
        try cache.storeText(.page(Self.text(page: 5)), for: Samples.key())
        try cache.promote(local, to: Samples.digest(1))
        #expect(Self.text(in: cache, page: 4) == .text(.page(Self.text(page: 4))))
        #expect(Self.text(in: cache, page: 5) == .text(.page(Self.text(page: 5))))
        #expect(cache.text(of: .local(local), .page(4), currentBuild: { nil }) == nil)
    }
}

extension FileStatus {
    fileprivate static func sample(in scratch: ScratchFolder) throws -> FileStatus {
        try scratch.write([1, 2, 3], to: "source")
        return try scratch.status("source")
    }
}
