import CLinux
import Hashing
import Linux
import Media
import TestDeadline
import Testing

@Suite("SHA-256", .deadline)
struct SHA256Tests {
    @Test(
        "The standard's examples (FIPS 180-4, NIST's example values)",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func examples(message: String, expected: String) {
        #expect(SHA256.digest(of: Array(message.utf8)).hex == expected)
    }

    @Test("Pieces of any size give the digest of the whole", arguments: [1, 7, 63, 64, 65, 1000])
    func pieces(pieceCount: Int) {
        let message = Array(String(repeating: "a", count: 1_000_000).utf8)
        var hasher = SHA256()
        for start in stride(from: 0, to: message.count, by: pieceCount) {
            hasher.update(message[start..<min(start + pieceCount, message.count)])
        }
        #expect(hasher.digest().hex == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test(
        "A whole file, whatever its size beside a step's, and its position stays",
        arguments: [0, 1, 262_143, 262_144, 700_001])
    func wholeFile(byteCount: Int) throws {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 131) }
        let file = try MemoryFile.unsized(name: "file")
        try file.write(bytes)
        #expect(try SHA256.digest(of: file) == SHA256.digest(of: bytes))
        #expect(lseek(file.number, 0, SEEK_CUR) == byteCount)
    }

    @Test("Cancelling ends the hashing between two reads")
    func cancelling() throws {
        let file = try MemoryFile.unsized(name: "file")
        try file.write([UInt8](repeating: 1, count: 1 << 20))
        var steps = 0
        let failure = #expect(throws: Failure.self) {
            try SHA256.digest(of: file) {
                steps += 1
                return steps == 3
            }
        }
        #expect(failure?.code == .cancelled)
        #expect(steps == 3)
    }

    @Test("An unreadable file is a missing source, not an empty one")
    func unreadable() throws {
        let folder = try Descriptor.open("/tmp", O_RDONLY)
        let failure = #expect(throws: Failure.self) { try SHA256.digest(of: folder) }
        #expect(failure?.code == .sourceMissing)
    }
}
