import S3
import TestDeadline
import TestSupport
import Testing

@Suite("Answers in XML are read as hostile input", .deadline)
struct XMLReaderTests {
    private func read(_ text: String) -> XMLNode? { XMLReader.read(Array(text.utf8)) }

    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Contents><Key>a&amp;b&#x20AC;\
        &#65;&quot;</Key><Size>3</Size></Contents><Contents><Key> x </Key></Contents><Empty/></ListBucketResult>

        """

    @Test("Elements, text and references are read")
    func reading() throws {
        let root = try #require(read(Self.list))
        #expect(root.name == "ListBucketResult" && root.all("Contents").count == 2)
        #expect(root.all("Contents").map { $0.text("Key") } == ["a&b€A\"", " x "])
        #expect(root.text("Empty") == "" && root["Owner"] == nil)
        #expect(read("<s:Error xmlns:s='x'><Code>A</Code></s:Error>")?.text("Code") == "A")
    }

    @Test(
        "All else of XML, and what is none, is refused",
        arguments: [
            "", "text", "<a>", "</a>", "<a></b>", "<a></a><b></b>", "<a></a>x", "<a", "<a b></a>", "<a b=c></a>",
            "<a b='</a>", "<!DOCTYPE a><a></a>", "<a><!-- x --></a>", "<a><![CDATA[x]]></a>", "<a>&x;</a>",
            "<a>&#xD800;</a>", "<a>&#x110000;</a>", "<a>&#;</a>", "<a>&#99999999999;</a>", "<a>&amp</a>",
            "<a><?p?></a>",
            "<?xml version='1.0'", "<1></1>", "<!-- x <a></a>", "<a></a><!--", "<a></a><? x",
        ])
    func refused(text: String) {
        #expect(read(text) == nil)
    }

    @Test(
        "White space, comments and instructions around the root element are passed over",
        arguments: [
            " \n\r\n<?xml version='1.0'?>\n\n<!-- a > b --><?p q?>  <Error><Code>A</Code></Error>\n<!-- end -->\n",
            "\u{FEFF}<?xml version='1.0'?><Error><Code>A</Code></Error>",
            "<?xml version='1.0'?>" + String(repeating: " ", count: 100_000)
                + "<s:Error xmlns:s='x'><s:Code>A</s:Code></s:Error>",
            "<!--" + String(repeating: "-x", count: 5000) + " --><Error><Code>A</Code></Error>",
        ])
    func surroundings(text: String) {
        let root = read(text)
        #expect(root?.name == "Error" && root?.text("Code") == "A")
    }

    @Test("Depth and number of elements are bounded, and texts that are no UTF-8 are refused")
    func bounds() {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(read(nested(8)) != nil && read(nested(9)) == nil && read(nested(1_000_000)) == nil)
        #expect(read("<a>" + String(repeating: "<b/>", count: 100_000) + "</a>") == nil)
        #expect(XMLReader.read(Array("<a>".utf8) + [0xFF] + Array("</a>".utf8)) == nil)
    }

    @Test("100,000 damaged answers stop nothing")
    func damaged() {
        var random = SplitMix(seed: 20)
        let whole = Array(Self.list.utf8)
        var readCount = 0
        for _ in 0..<100_000 {
            var bytes = whole
            for _ in 0...random.next(below: 3) {
                let place = random.next(below: bytes.count)
                switch random.next(below: 3) {
                case 0: bytes[place] = UInt8(random.next(below: 256))
                case 1: bytes.remove(at: place)
                default: bytes.insert(Array("<>&;/\"'".utf8)[random.next(below: 7)], at: place)
                }
            }
            if XMLReader.read(bytes) != nil { readCount += 1 }
        }
        #expect(readCount > 0 && readCount < 100_000)
    }
}
