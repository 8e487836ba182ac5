import Foundation
import TestDeadline
import Testing

@Suite("One name names one thing, and one thing stands in one place", .deadline)
struct NamingTests {
    private let files: [SourceFile]

    init() throws { files = try SourceFile.all(below: "Sources") }

    private var types: [SourceDeclaration] { files.flatMap(\.declarations).filter(\.head.isType) }

    @Test("No two types at the top level share a name")
    func topLevel() {
        let types = Dictionary(grouping: types.filter(\.enclosing.isEmpty), by: \.head.name)
        #expect(types.count > 200)
        let shared = types.filter { $0.value.count > 1 }.map { "\($0.key): \($0.value.map(\.place))" }
        #expect(shared.isEmpty, "\(shared.joined(separator: "\n"))")
    }

    @Test(
        "The words of the architecture name one type each, nested ones included",
        arguments: ["Attempt", "Job", "Box", "Frame"])
    func words(name: String) {
        let places = types.filter { $0.head.name == name }.map(\.place)
        #expect(places.count == 1, "\(places)")
    }

    /// A second walker of a container would read its headers again: the length of an EBML number from leading zeros, and a
    /// box's four letters behind its 32-bit size.
    @Test("One file reads the headers of EBML elements, and one those of ISO base media boxes")
    func walkers() {
        func paths(_ parts: String...) -> [String] {
            files.filter { file in parts.allSatisfy(file.text.contains) }.map(\.path)
        }
        let folder = "Sources/Formats/Formats/Containers"
        #expect(paths("leadingZeroBitCount") == ["\(folder)/EBMLWalker.swift"])
        #expect(paths("big(UInt32.self, at: 0)", "text(at: 4, count: 4)") == ["\(folder)/ISOBoxWalker.swift"])
    }

    @Test("One file has the kernels of the resampler")
    func resampler() throws {
        let kernel = try Regex("(enum|struct|func) \\w*[kK]ernel\\b")
        let paths = files.filter { $0.text.contains(kernel) }.map(\.path)
        #expect(paths == ["Sources/Renderers/Rendering/Resampling/ResamplingKernel.swift"])
    }

    @Test("No folder of the sources holds more than twenty Swift files")
    func folders() {
        let folders = Dictionary(grouping: files) { $0.path.split(separator: "/").dropLast().joined(separator: "/") }
        let full = folders.filter { $0.value.count > 20 }.map { "\($0.key): \($0.value.count)" }
        #expect(full.isEmpty, "\(full.sorted().joined(separator: ", "))")
    }
}
