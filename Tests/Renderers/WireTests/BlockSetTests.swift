import TestDeadline
import Testing
import Wire

@Suite("The blocks of a source that are there", .deadline)
struct BlockSetTests {
    private let block = BlockSet.blockByteCount

    @Test("Missing runs are whole blocks, cut at the end of the source")
    func runs() {
        var blocks = BlockSet(byteCount: 10 * block + 7)
        #expect(blocks.firstMissing(in: 0..<1) == 0..<block)
        #expect(blocks.firstMissing(in: block - 1..<block + 1) == 0..<2 * block)
        blocks.insert(2 * block..<4 * block)
        #expect(blocks.firstMissing(in: block..<6 * block) == block..<2 * block)
        #expect(blocks.firstMissing(in: 2 * block..<6 * block) == 4 * block..<6 * block)
        #expect(blocks.firstMissing(in: 2 * block + 5..<4 * block) == nil)
        #expect(blocks.firstMissing(in: 10 * block..<Int64.max) == 10 * block..<10 * block + 7)
        blocks.insert(10 * block..<10 * block + 7)
        #expect(blocks.firstMissing(in: 10 * block..<10 * block + 7) == nil)
    }

    @Test("A part of a block is no block, but for the last one of the source")
    func parts() {
        var blocks = BlockSet(byteCount: 2 * block + 7)
        blocks.insert(1..<2 * block - 1)
        #expect(blocks.firstMissing(in: 0..<2 * block) == 0..<2 * block)
        blocks.insert(1..<2 * block)
        #expect(blocks.firstMissing(in: 0..<2 * block) == 0..<block)
        blocks.insert(2 * block + 1..<2 * block + 7)
        #expect(blocks.firstMissing(in: 2 * block..<2 * block + 7) == 2 * block..<2 * block + 7)
    }

    @Test("Nothing is missing of nothing, nor beyond the end")
    func nothing() {
        #expect(BlockSet(byteCount: 0).firstMissing(in: 0..<9) == nil)
        #expect(BlockSet(byteCount: 7).firstMissing(in: 7..<9) == nil)
        #expect(BlockSet(byteCount: 7).firstMissing(in: -5..<0) == nil)
    }
}
