import Formats
import TestDeadline
import Testing

@Suite("A PDF object", .deadline)
struct PDFObjectTests {
    @Test(
        "has the number that it writes",
        arguments: [("12", 12), ("-3.5", -3.5), ("+.5", 0.5), ("4.", 4), ("007", 7)] as [(String, Double)])
    func numbers(text: String, number: Double) {
        #expect(PDFObject(text).number == number)
    }

    @Test(
        "is no number in notations that PDF does not have", arguments: ["1e3", "0x10", "inf", "nan", "/1", "1 0 R", ""])
    func noNumbers(text: String) {
        #expect(PDFObject(text).number == nil)
        #expect(PDFObject(text).integer == nil)
    }

    @Test("is an integer only without a point")
    func integers() {
        #expect(PDFObject("-90").integer == -90)
        #expect(PDFObject("90.0").integer == nil)
        #expect(PDFObject("99999999999999999999").integer == nil)
    }

    @Test("is a reference with an object number and a generation")
    func references() {
        #expect(PDFObject("12 3 R").reference == 12)
        #expect(PDFObject("12 3 R").generation == 3)
        #expect(PDFObject("99999999999999999999 0 R").reference == nil)
        #expect(PDFObject("/R").reference == nil)
    }

    @Test("is a boolean or a name")
    func otherTypes() {
        #expect(PDFObject("true").boolean == true)
        #expect(PDFObject("false").boolean == false)
        #expect(PDFObject("null").boolean == nil)
        #expect(PDFObject("/Page").name == "/Page")
        #expect(PDFObject("(Page)").name == nil)
    }

    @Test("is an operator where it is a keyword of a content stream", arguments: ["Do", "f*", "'", "\"", "d0", "T*"])
    func operators(text: String) {
        #expect(PDFObject(text).isOperator)
    }

    @Test(
        "is no operator where it is an operand",
        arguments: ["1", "/Do", "(Do)", "[Do]", "true", "null", "1 0 R", "<0a>"])
    func operands(text: String) {
        #expect(!PDFObject(text).isOperator)
    }

    @Test("has the entries of a dictionary, which can be changed and written again")
    func dictionaries() throws {
        var entries = try #require(PDFObject("<</A 1/B[2 3]/A 4>>").dictionary)
        #expect(entries["/A"]?.integer == 1)
        #expect(entries["/B"]?.elements?.compactMap(\.integer) == [2, 3])
        entries["/A"] = PDFObject("5")
        entries["/B"] = nil
        #expect(PDFObject(entries).dictionary?.entries.count == 1)
        #expect(PDFObject(entries).dictionary?["/A"]?.integer == 5)
        #expect(PDFObject("[1]").dictionary == nil)
        #expect(PDFObject("<</A 1/B").dictionary?.entries.count == 1)
    }

    @Test("of a stream loses its filter when it is written with decoded data")
    func streams() throws {
        let entries = try #require(
            PDFObject("<</Filter/FlateDecode/DecodeParms<<>>/Length 9 0 R/Type/XObject>>").dictionary)
        let text = String(decoding: entries.stream([65, 66]), as: UTF8.self)
        #expect(text == "<</Type /XObject\n/Length 2\n>>\nstream\nAB\nendstream")
    }
}
