import Media
import TestDeadline
import Testing
import ThumbnailCache

@Suite("Sealed records", .deadline)
struct SealedRecordTests {
    let object = JSON.object([
        "width": .integer(640), "title": .string("a \"b\" }"), "poster": .object(["time": .number(0.5)]),
    ])

    @Test("A record is read as it was written")
    func roundTrip() {
        #expect(SealedRecord.object(in: SealedRecord.bytes(of: object)) == object)
    }

    @Test("No prefix of a record is a record")
    func cut() {
        let bytes = SealedRecord.bytes(of: object)
        for count in 0..<bytes.count { #expect(SealedRecord.object(in: Array(bytes.prefix(count))) == nil) }
    }

    @Test("A record with a flipped bit is refused")
    func flipped() {
        let bytes = SealedRecord.bytes(of: object)
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << UInt8(bit)
                #expect(SealedRecord.object(in: damaged) == nil)
            }
        }
    }

    @Test("A record with bytes after it is refused")
    func lengthened() {
        #expect(SealedRecord.object(in: SealedRecord.bytes(of: object) + [0]) == nil)
    }
}
