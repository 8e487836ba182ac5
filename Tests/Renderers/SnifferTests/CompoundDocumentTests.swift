import ArchiveBuilding
import Media
import Sniffer
import TestDeadline
import Testing

@Suite("OLE compound files", .deadline)
struct CompoundDocumentTests {
    private typealias Node = CompoundFileBuilder.Node

    /// The start of a WordDocument stream: the FIB with this flags word, padded as Word pads it.
    private func word(flags: UInt16 = 0x1200) -> Node {
        .stream("WordDocument", UInt16(0xA5EC).little + zeros(8) + flags.little + zeros(6000))
    }

    private func workbook(_ records: [UInt8] = [], name: String = "Workbook") -> Node {
        .stream(name, UInt16(0x0809).little + UInt16(16).little + zeros(16) + records + [0x85, 0, 6, 0] + zeros(6000))
    }

    @Test(
        "A stream in the root names the program",
        arguments: [
            ("WordDocument", "application/msword"), ("Workbook", "application/vnd.ms-excel"),
            ("Book", "application/vnd.ms-excel"), ("WORKBOOK", "application/vnd.ms-excel"),
            ("PowerPoint Document", "application/vnd.ms-powerpoint"), ("VisioDocument", "application/vnd.visio"),
            ("__properties_version1.0", "application/vnd.ms-outlook"),
            ("__substg1.0_0037001F", "application/vnd.ms-outlook"),
            ("Contents", "application/x-ole-storage"), ("\u{5}SummaryInformation", "application/x-ole-storage"),
        ])
    func programs(name: String, type: String) throws {
        let file = CompoundFileBuilder([.stream("\u{1}CompObj", zeros(100)), .stream(name, zeros(5000))]).bytes()
        #expect(try typeName(file) == type)
        #expect(try sniffed(file).isEncrypted == nil)
    }

    @Test("Embedded documents do not decide the type")
    func embedded() throws {
        let pool = Node.storage("ObjectPool", [.storage("_1", [workbook()])])
        #expect(try typeName(CompoundFileBuilder([pool, word()]).bytes()) == "application/msword")
        #expect(try typeName(CompoundFileBuilder([pool]).bytes()) == "application/x-ole-storage")
    }

    @Test("A storage with a stream's name is no stream")
    func storageOfThatName() throws {
        #expect(
            try typeName(CompoundFileBuilder([.storage("WordDocument", [])]).bytes()) == "application/x-ole-storage")
    }

    @Test("A directory behind two megabytes of text is found")
    func directoryAtTheEnd() throws {
        var builder = CompoundFileBuilder([word()])
        builder.paddingSectorCount = 4096
        let file = builder.bytes()
        #expect(file.count > 2 << 20)
        #expect(try typeName(file) == "application/msword")
    }

    @Test("An encrypted package is an office file with a password")
    func encryptedPackage() throws {
        let facts = try sniffed(
            CompoundFileBuilder([.stream("EncryptionInfo", zeros(200)), .stream("EncryptedPackage", zeros(9000))])
                .bytes())
        #expect(facts.mediaType == .encryptedOpenXML)
        #expect(facts.isEncrypted == true)
    }

    @Test("Word's flag and Excel's record mark a document with a password")
    func passwords() throws {
        let filePass: [UInt8] = [0x2F, 0, 4, 0, 1, 2, 3, 4]
        let protected = [0x86, 0, 0, 0] + filePass
        #expect(try sniffed(CompoundFileBuilder([word(flags: 0x1300)]).bytes()).isEncrypted == true)
        #expect(try sniffed(CompoundFileBuilder([word()]).bytes()).isEncrypted == nil)
        #expect(try sniffed(CompoundFileBuilder([workbook(protected)]).bytes()).isEncrypted == true)
        #expect(try sniffed(CompoundFileBuilder([workbook()]).bytes()).isEncrypted == nil)
    }

    @Test("A short stream's first bytes are found among the small sectors")
    func shortStream() throws {
        let stream = UInt16(0x0809).little + UInt16(4).little + zeros(4) + [0x2F, 0, 4, 0, 1, 2, 3, 4] as [UInt8]
        let file = CompoundFileBuilder([.stream("\u{1}Ole", zeros(900)), .stream("Workbook", stream)]).bytes()
        #expect(try sniffed(file).isEncrypted == true)
    }

    @Test("Cycles in chains and among entries do not hang the reader", .timeLimit(.minutes(5)))
    func cycles() throws {
        let file = CompoundFileBuilder([word()]).bytes()
        let sniffer = try Sniffer()
        // Each word from the directory to the end is set to one of these sectors or entries in turn.
        for offset in stride(from: 512 * 13, to: file.count - 4, by: 4) {
            for value in [0, 1, 12, 13] as [UInt32] {
                var damaged = file
                damaged.replaceSubrange(offset..<offset + 4, with: value.little)
                let facts = try sniffer.sniff(source(damaged))
                #expect(facts.mediaType == .word || facts.mediaType == .oleStorage)
            }
        }
    }

    @Test("A signature alone is a compound file of no known kind")
    func signatureAlone() throws {
        #expect(try typeName([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) == "application/x-ole-storage")
    }
}
