import CLinux
import Linux
import Media
import RenderHost
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("A source that lies elsewhere", .deadline)
struct RangedSourceTests {
    /// Content of a test: counts what is asked for, and fails or lies on command.
    private final class FakeContent: RangedContent {
        let bytes: [UInt8]
        let asked = Mutex<[Range<Int64>]>([])
        /// How long the readers wait for each request.
        let patiences = Mutex<[Duration]>([])
        private let fault: @Sendable (Int) throws(Failure) -> Range<Int64>?

        var byteCount: Int64 { Int64(bytes.count) }

        /// - Parameter fault: gets the number of the request, from 1; a range that it returns is claimed to have come.
        init(_ bytes: [UInt8], fault: @escaping @Sendable (Int) throws(Failure) -> Range<Int64>? = { _ in nil }) {
            self.bytes = bytes
            self.fault = fault
        }

        func fetch(
            _ range: Range<Int64>, into file: Descriptor, within patience: Duration
        ) throws(Failure) -> Range<Int64> {
            patiences.withLock { $0.append(patience) }
            let number = asked.withLock { asked in
                asked.append(range)
                return asked.count
            }
            if let claimed = try fault(number) { return claimed }
            let part = Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
            do throws(SystemError) {
                try part.withUnsafeBytes { part in
                    Result { () throws(SystemError) in try file.write(part, at: range.lowerBound) }
                }.get()
            } catch {
                throw Failure(.unavailable, detail: "\(error)")
            }
            return range
        }
    }

    private static let bytes = (0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    private static let gone = Failure(.unavailable, message: "gone")

    @Test("Bytes come once, in whole blocks, and are those of the content")
    func bytesComeOnce() throws {
        let content = FakeContent(Self.bytes)
        let source = try RangedSource(content, folder: "/tmp")
        try source.require(70_000..<70_001)
        try source.require(65_536..<131_072)
        #expect(content.asked.withLock { $0 } == [65_536..<131_072])
        try source.require(0..<1_000_003)
        #expect(content.asked.withLock { $0 }.dropFirst() == [0..<65_536, 131_072..<1_000_003])
        #expect(try source.file.bytes(at: 0, count: 2_000_000) == Self.bytes)
        #expect(source.fetched.byteCount == 1_000_003 && source.fetched.requestCount == 3)
    }

    @Test("The file cannot be written by who has it")
    func readOnly() throws {
        let source = try RangedSource(FakeContent(Self.bytes), folder: "/tmp")
        #expect(throws: SystemError.self) { try source.file.write([1]) }
    }

    @Test("A failure stays: zeros are never taken for bytes")
    func failureStays() throws {
        let source = try RangedSource(
            FakeContent(Self.bytes) { number throws(Failure) in
                if number == 2 { throw Self.gone }
                return nil
            }, folder: "/tmp")
        try source.require(0..<1)
        #expect(source.failure == nil)
        #expect(throws: Self.gone) { try source.require(500_000..<500_001) }
        #expect(throws: Self.gone) { try source.require(500_000..<500_001) }
        #expect(throws: Self.gone) { try source.require(0..<1) }
        #expect(source.failure == Self.gone)
    }

    @Test(
        "Content that claims to have brought other bytes has failed",
        arguments: [0..<1, 0..<65_535, 1..<65_536, 65_536..<131_072, 0..<2_000_000] as [Range<Int64>])
    func lies(claimed: Range<Int64>) throws {
        let source = try RangedSource(FakeContent(Self.bytes) { _ in claimed }, folder: "/tmp")
        #expect(throws: Failure.self) { try source.require(0..<1) }
        #expect(source.failure?.code == .unavailable)
    }

    @Test("Readers that have waited for the source's patience get no more")
    func patience() throws {
        let slow = FakeContent(Self.bytes) { _ in
            Time.sleep(.milliseconds(300))
            return nil
        }
        let source = try RangedSource(slow, folder: "/tmp", patience: .milliseconds(500))
        #expect(throws: Failure.self) {
            for place in 0..<10 { try source.require(Int64(place) * 65_536..<Int64(place) * 65_536 + 1) }
        }
        #expect(source.failure?.code == .timedOut)
        #expect(slow.asked.withLock { $0.count } == 2)
    }

    @Test(
        "Each request is told for how long the readers still wait, and one that fails with that time has come too slowly"
    )
    func restOfPatience() throws {
        let content = FakeContent(Self.bytes) { number throws(Failure) in
            Time.sleep(.milliseconds(300))
            if number == 2 { throw Self.gone }
            return nil
        }
        let source = try RangedSource(content, folder: "/tmp", patience: .milliseconds(500))
        try source.require(0..<1)
        #expect(throws: Failure.self) { try source.require(500_000..<500_001) }
        let patiences = content.patiences.withLock { $0 }
        #expect(patiences.count == 2 && patiences[0] <= .milliseconds(500) && patiences[1] <= .milliseconds(200))
        #expect(source.failure?.code == .timedOut)
    }

    // MARK: In a child

    private static let host = RenderHost(programs: RendererPrograms(directory: BuiltPrograms.folder))
    private static let picture = RenderTask.Picture(
        box: Box(width: 64, height: 64)!, fit: .inside, gravity: .centre, enlarge: false)

    private func render(_ source: RangedSource, _ mediaType: MediaType, seconds: Int64 = 20) throws -> RenderedSource {
        var limits = Limits()
        limits.wallTime = .seconds(seconds)
        var task = RenderTask(mediaType: mediaType, limits: limits, pictures: [Self.picture])
        task.rangedSource = source
        return try Self.host.perform(task, on: source.file, by: mediaType.rendererClass!)
    }

    private func pixels(_ rendered: RenderedSource) -> [UInt8] { rendered.bitmaps[0].withUnsafeBytes { Array($0) } }

    private static func sample(_ name: String) throws -> [UInt8] {
        try Descriptor.open(Checkout.sample(name), O_RDONLY).readAll(limit: 64 << 20)!
    }

    @Test("A child reads what it needs: of a long video a few parts, with its index at the end")
    func longVideo() throws {
        // An index that says where the samples are does not care for what lies between it and them.
        let video = try Self.sample("index-at-end.mp4")
        let content = FakeContent(video)
        let source = try RangedSource(content, folder: "/tmp")
        #expect(try render(source, .mp4).bitmaps[0].width == 64)
        let whole = RenderTask(mediaType: .mp4, limits: Limits(), pictures: [Self.picture])
        let local = try Self.host.perform(
            whole, on: try Descriptor.open(Checkout.sample("index-at-end.mp4"), O_RDONLY), by: .video)
        #expect(try pixels(render(source, .mp4)) == pixels(local))
    }

    @Test(
        "A child without its bytes has failed as the source has, whatever it made of the rest",
        arguments: ["orientation-1.jpg", "pages-24.pdf", "h264.mp4", "card.heic", "palette.png"], 1...3)
    func failing(name: String, number: Int) throws {
        let bytes = try Self.sample(name)
        // Behind the sample lie bytes that nobody needs, so that a file of one block is no test of the first request alone.
        let source = try RangedSource(
            FakeContent(bytes) { asked throws(Failure) in
                if asked >= number { throw Self.gone }
                return nil
            }, folder: "/tmp")
        let mediaType = try #require(MediaType.guess(fromHead: Array(bytes.prefix(192)), fileName: name))
        do {
            _ = try render(source, mediaType)
            #expect(source.failure == nil && source.fetched.requestCount < number, "it was drawn from what had come")
        } catch let failure as Failure {
            #expect(failure == Self.gone)
        }
    }

    @Test("The time in which bytes come does not count against the child's")
    func slowButSure() throws {
        let bytes = try Self.sample("orientation-1.jpg")
        let source = try RangedSource(
            FakeContent(bytes) { _ in
                Time.sleep(.milliseconds(2500))
                return nil
            }, folder: "/tmp")
        #expect(try render(source, .jpeg, seconds: 2).bitmaps[0].width > 0)
    }
}
