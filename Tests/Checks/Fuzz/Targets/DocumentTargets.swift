import Linux
import PageRenderer
import Rendering

/// The readers of a page's resources and pictures. Poppler and the codecs are not instrumented.
enum DocumentTargets {
    static func document(_ bytes: [UInt8]) throws(Broken) {
        guard let source = InMemory.source(bytes),
            let document = try? LighterDocument.file(
                of: source, page: 0, scale: 0.1, threadCount: 2, leastPixelCount: 64)
        else { return }
        let isKept = withExtendedLifetime(document) {
            document.bytes.count > bytes.count && document.bytes[..<bytes.count].elementsEqual(bytes)
        }
        try holds(isKept, "the document's own bytes are changed")
    }

    /// A page that draws a picture within a form: a few bytes that claim to be a JPEG 2000, and a JPEG that two threads
    /// read.
    static var documents: [[UInt8]] {
        let photograph = MadePicture(width: 480, height: 360)
        return [
            document(picture: "/Width 64/Height 64/Filter/JPXDecode", Array("abcd".utf8)),
            document(picture: "/Width 480/Height 360/Filter/DCTDecode", photograph.jpeg()),
        ]
    }

    private static func document(picture entries: String, _ picture: [UInt8]) -> [UInt8] {
        let objects = [
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</F 5 0 R/I 6 0 R>>"
                + "/Font<</T<</Subtype/Type3/CharProcs<</a 4 0 R>>>>>>>>>>",
            "<</Length 28>>stream\nq 9 0 0 9 0 0 cm /F Do /I Do\nendstream",
            "<</Subtype/Form/BBox[0 0 1 1]/Group<</S/Transparency/K true>>/Resources<</XObject<</I 6 0 R>>"
                + "/ExtGState<</G<</BM/Screen/SMask<</G 5 0 R>>>>>>>>/Length 37>>stream\n/G gs 0 0 1 1 re f 0 0 2 1 re f /I Do\nendstream",
            "<</Subtype/Image\(entries)/ColorSpace/DeviceRGB/BitsPerComponent 8/Length \(picture.count)>>stream\n",
        ]
        var file = Array("%PDF-1.5\n".utf8)
        var table = "xref\n0 7\n0000000000 65535 f \n"
        for (index, object) in objects.enumerated() {
            let offset = String(file.count)
            table += String(repeating: "0", count: 10 - offset.count) + "\(offset) 00000 n \n"
            file += "\(index + 1) 0 obj\n\(object)".utf8
            if index == objects.count - 1 { file += picture + "\nendstream".utf8 }
            file += "\nendobj\n".utf8
        }
        return file + "\(table)trailer\n<</Size 7/Root 1 0 R>>\nstartxref\n\(file.count)\n%%EOF\n".utf8
    }
}
