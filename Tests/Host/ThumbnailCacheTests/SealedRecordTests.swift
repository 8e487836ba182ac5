import Media
import Testing
import ThumbnailCache

@Suite("Records that prove themselves")
struct SealedRecordTests {
    let object = JSON.object([
        "width": .integer(640), "title": .string("a \"b\" }"), "poster": .object(["time": .number(0.5)]),
    ])

    @Test("What is written is read")
    func roundTrip() {
        #expect(SealedRecord.object(in: SealedRecord.bytes(of: object)) == object)
    }

    @Test("No beginning of a record is one")
    func cut() {
        let bytes = SealedRecord.bytes(of: object)
        for count in 0..<bytes.count { #expect(SealedRecord.object(in: Array(bytes.prefix(count))) == nil) }
    }

    @Test("No record with a flipped bit is one")
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

    @Test("A record with more behind it is none")
    func lengthened() {
        #expect(SealedRecord.object(in: SealedRecord.bytes(of: object) + [0]) == nil)
    }
}
