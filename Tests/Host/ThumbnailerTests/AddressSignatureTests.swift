import SourceFiles
import TestDeadline
import Testing

@Suite("What signs an address", .deadline)
struct AddressSignatureTests {
    @Test(
        "Its parameters are left out, and those that name the content stay",
        arguments: [
            (
                "https://a/b.pdf?X-Amz-Algorithm=A&X-Amz-Date=1&versionId=7&X-Amz-Expires=60&X-Amz-Signature=c",
                "https://a/b.pdf?versionId=7"
            ),
            ("https://a/b.pdf?X-Goog-Signature=c&X-Goog-Date=2", "https://a/b.pdf"),
            ("https://a/?file=a&Expires=9&Signature=x%2B&Key-Pair-Id=k", "https://a/?file=a"),
            ("https://a/?Signature=y&file=b#part", "https://a/?file=b"),
            // Nothing signs these.
            ("https://a/b?file=Signature=x&Expires=9", "https://a/b?file=Signature=x&Expires=9"),
            ("https://a/b?X-Amz-Date=1&file=c", "https://a/b?X-Amz-Date=1&file=c"),
            ("https://a/b#?Signature=x", "https://a/b#?Signature=x"),
            ("https://a/b", "https://a/b"),
        ])
    func removing(address: String, rest: String) {
        #expect(AddressSignature.removed(from: address) == rest)
    }

    @Test("Two files behind one signed address have two names, and one file with two signatures has one")
    func names() {
        let names = ["file=a&Signature=1", "file=a&Signature=2", "file=b&Signature=3"].map {
            AddressSignature.removed(from: "https://a/get?\($0)")
        }
        #expect(names[0] == names[1] && names[0] != names[2])
    }
}
