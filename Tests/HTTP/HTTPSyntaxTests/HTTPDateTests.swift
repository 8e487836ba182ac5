import HTTPSyntax
import TestDeadline
import TestSupport
import Testing

@Suite("Dates of header fields", .deadline)
struct HTTPDateTests {
    @Test(
        "All three forms are read",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Monday, 01-Jan-01 00:00:00 GMT", 978_307_200),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_799), ("Sat Nov 16 08:49:37 2024", 1_731_746_977),
        ] as [(String, Int64)])
    func parsing(text: String, seconds: Int64) {
        #expect(HTTPDate(text)?.seconds == seconds)
    }

    @Test(
        "Other texts are refused",
        arguments: [
            "", "0", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Tue, 29 Feb 1900 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT",
        ])
    func refusals(text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test("What is written is read again, over ten thousand years")
    func roundTrip() {
        var random = SplitMix(seed: 1)
        for _ in 0..<20000 {
            let date = HTTPDate(seconds: Int64(random.next(below: 315_569_520_000)) - 62_167_219_200)
            #expect(HTTPDate(date.text) == date)
        }
        #expect(HTTPDate(seconds: 784_111_777).text == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate(seconds: .max).text == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate(seconds: .min).text == "Sat, 01 Jan 0000 00:00:00 GMT")
    }
}
