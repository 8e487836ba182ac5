import CLinux
import Linux
import Media
import TestDeadline
import Testing
import ThumbnailCache

@Suite("The stat index", .deadline)
struct StatIndexTests {
    private let second: Int64 = 1_000_000_000

    @Test("An old file is found again, under digest or stat key")
    func remembers() throws {
        let scratch = try ScratchFolder()
        let index = FolderCache(path: scratch.path + "/cache").statIndex
        try scratch.write([1], to: "file")
        let status = try scratch.status("file")
        #expect(index.key(for: status) == nil)
        let later = status.changed + 3 * second
        #expect(try index.remember(Samples.key(), for: status, readingBegan: later))
        #expect(index.key(for: status) == Samples.key())
        #expect(try index.remember(.local(StatKey(of: status)), for: status, readingBegan: later))
        #expect(index.key(for: status) == .local(StatKey(of: status)))
    }

    @Test("The index forgets a file that changes", arguments: ["write", "touch", "mode", "replace", "append"])
    func changes(change: String) throws {
        let scratch = try ScratchFolder()
        let index = FolderCache(path: scratch.path + "/cache").statIndex
        try scratch.write([1, 2, 3], to: "file")
        let status = try scratch.status("file")
        try index.remember(Samples.key(), for: status, readingBegan: status.changed + 3 * second)
        Time.sleep(.milliseconds(20))
        let path = "\(scratch.path)/file"
        switch change {
        case "write": try Descriptor.open(path, O_WRONLY).write([9, 9, 9])
        case "append": try scratch.append([4], to: "file")
        case "touch": scratch.setTimes("file", to: 5 * second)
        case "mode": chmod(path, 0o400)
        default:
            try scratch.write([7, 7, 7], to: "other")
            rename("\(scratch.path)/other", path)
        }
        #expect(index.key(for: try scratch.status("file")) == nil)
    }

    @Test("A file that changed within the clock's grain before it was read is not indexed")
    func racilyClean() throws {
        let scratch = try ScratchFolder()
        let index = FolderCache(path: scratch.path + "/cache").statIndex
        try scratch.write([1], to: "file")
        let began = Time.wallAsFilesSeeIt
        let status = try scratch.status("file")
        #expect(try !index.remember(Samples.key(), for: status, readingBegan: began))
        #expect(try !index.remember(Samples.key(), for: status, readingBegan: status.changed + 2 * second))
        #expect(index.key(for: status) == nil)
        #expect(try index.remember(Samples.key(), for: status, readingBegan: status.changed + 2 * second + 1))
    }

    @Test("Old times set by hand do not hide a late change, and times in the future are never trusted")
    func setTimes() throws {
        let scratch = try ScratchFolder()
        let index = FolderCache(path: scratch.path + "/cache").statIndex
        try scratch.write([1], to: "file")
        scratch.setTimes("file", to: 5 * second)
        #expect(try !index.remember(Samples.key(), for: scratch.status("file"), readingBegan: Time.wallAsFilesSeeIt))
        let future = Time.wall + 1000 * second
        scratch.setTimes("file", to: future)
        let status = try scratch.status("file")
        #expect(try !index.remember(Samples.key(), for: status, readingBegan: status.changed + 10 * second))
        #expect(try index.remember(Samples.key(), for: status, readingBegan: future + 10 * second))
    }

    @Test("An entry that is cut anywhere, or lies under another file's name, is refused")
    func damage() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path + "/cache")
        for name in ["one", "two"] {
            try scratch.write([1], to: name)
            let status = try scratch.status(name)
            try cache.statIndex.remember(Samples.key(), for: status, readingBegan: status.changed + 3 * second)
        }
        let one = try scratch.status("one")
        let hex = StatKey(of: one).digest.hex
        let place = "cache/stat/\(hex.prefix(2))/\(hex).json"
        let whole = try scratch.read(place)
        for count in whole.indices {
            try scratch.write(Array(whole.prefix(count)), to: place)
            #expect(cache.statIndex.key(for: one) == nil)
        }
        let other = try #require(scratch.files(below: "cache/stat").first { $0 != place })
        try scratch.write(scratch.read(other), to: place)
        #expect(cache.statIndex.key(for: one) == nil)
        try scratch.write(whole, to: place)
        #expect(cache.statIndex.key(for: one) == Samples.key())
    }
}
