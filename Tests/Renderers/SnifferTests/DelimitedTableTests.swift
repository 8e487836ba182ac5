import Media
import TestDeadline
import Testing

@Suite("Tables as text", .deadline)
struct DelimitedTableTests {
    @Test(
        "Records of equally many fields are a table",
        arguments: [
            "name,points,team\nAda,12,Red\nBo,9,Blue\n", "a;b\r\nc;d\r\ne;f", "a,\"b, and\nmore\",c\n1,2,3\n4,5,6\n",
            "\u{FEFF}x,y\n1,2\n\n3,4\n",
        ])
    func tables(text: String) throws {
        #expect(try typeName(text) == "text/csv")
    }

    @Test(
        "Prose with commas is no table",
        arguments: [
            "One, two.\nThree.\nFour, five, six.\n", "Dear coach,\nI am, as always, fit.\n", "a,b\n",
            "a\tb\nc\td\ne\tf\n",
        ])
    func prose(text: String) throws {
        #expect(try typeName(text) == "text/plain")
    }
}
