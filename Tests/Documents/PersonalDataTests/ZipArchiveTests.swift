import Foundation
import Linux
import PersonalData
import TestDeadline
import TestSupport
import Testing

@Suite("A ZIP archive that is written piece by piece", .deadline)
struct ZipArchiveTests {
    /// The number of a folder's unnamed files that this process has open.
    private static func unnamedCount(in folder: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return target?.hasPrefix("\(folder)/") == true
        }
    }

    @Test("Others read one with more files than 16 bits count, and its directory leaves nothing behind")
    func many() throws {
        let folder = TemporaryFolder.make("zip")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let spool = "\(folder)/spool"
        try FileManager.default.createDirectory(atPath: spool, withIntermediateDirectories: true)
        let count = 70_000
        var zip = ZipArchive(spoolingIn: spool)
        var bytes: [UInt8] = []
        for number in 0..<count {
            bytes += zip.begin("\(number)", at: ArchiveBench.now)
            if number == count - 1 { bytes += zip.part([0x61]) }
            bytes += try zip.end()
        }
        #expect(try Self.unnamedCount(in: spool) == 1)
        while let piece = try zip.directory() {
            #expect(piece.count <= 1 << 20)
            bytes += piece
        }
        #expect(try Self.unnamedCount(in: spool) == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: spool) == [])
        let path = "\(folder)/many.zip"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let read = try ArchiveFile(path: path).read("len(z.namelist())", "z.read('\(count - 1)')", "z.read('0')")
        #expect(read == ["\(count)", "b'a'", "b''"])
    }

    @Test("A few files need no unnamed file; a directory that cannot be kept is an error")
    func spool() throws {
        let folder = TemporaryFolder.make("zip")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func make(_ count: Int) throws {
            var zip = ZipArchive(spoolingIn: "\(folder)/none")
            for number in 0..<count {
                _ = zip.begin("\(number)", at: ArchiveBench.now)
                _ = try zip.end()
            }
            while try zip.directory() != nil {}
        }
        try make(100)
        #expect(throws: SystemError.self) { try make(10_000) }
    }
}
