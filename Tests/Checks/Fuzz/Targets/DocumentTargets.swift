import Formats
import Linux
import PDFBuilding
import PageRenderer

/// The readers of a document's objects, resources and images. Poppler and the codecs are not instrumented.
enum DocumentTargets {
    static func document(_ bytes: [UInt8]) throws(Broken) {
        _ = RecoveredTrailer.candidates(for: bytes)
        guard let source = InMemory.source(bytes),
            let document = try? LighterDocument.file(
                of: source, page: 0, scale: 0.1, threadCount: 2, leastPixelCount: 64)
        else { return }
        let isKept = withExtendedLifetime(document) {
            document.bytes!.count > bytes.count && document.bytes![..<bytes.count].elementsEqual(bytes)
        }
        try holds(isKept, "the document's own bytes are changed")
    }

    /// Pages that draw an image within a form: a JPEG 2000 that is damaged from its start, and a JPEG that two threads decode.
    static var documents: [[UInt8]] {
        let photograph = MadePicture(width: 480, height: 360)
        return [
            document(image: "/Width 64/Height 64/Filter/JPXDecode", Array("abcd".utf8)),
            document(image: "/Width 480/Height 360/Filter/DCTDecode", photograph.jpeg()),
        ]
    }

    private static func document(image entries: String, _ image: [UInt8]) -> [UInt8] {
        var builder = PDFBuilder()
        let root = builder.add("<</Type/Catalog/Pages 2 0 R>>")
        _ = builder.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
        _ = builder.add(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</F 5 0 R/I 6 0 R>>"
                + "/Font<</T<</Subtype/Type3/CharProcs<</a 4 0 R>>>>>>>>>>")
        _ = builder.addStream("q 9 0 0 9 0 0 cm /F Do /I Do")
        _ = builder.addStream(
            "/G gs 0 0 1 1 re f 0 0 2 1 re f /I Do",
            "/Subtype/Form/BBox[0 0 1 1]/Group<</S/Transparency/K true>>/Resources<</XObject<</I 6 0 R>>"
                + "/ExtGState<</G<</BM/Screen/SMask<</G 5 0 R>>>>>>>>")
        _ = builder.addStream(image, "/Subtype/Image\(entries)/ColorSpace/DeviceRGB/BitsPerComponent 8")
        return builder.bytes(root: root)
    }
}
