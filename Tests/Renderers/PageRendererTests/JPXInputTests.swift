import COpenJPEG
import PageRenderer
import Testing

/// Who owns the file that OpenJPEG reads.
extension PageRendererTests {
    @Test("OpenJPEG's stream keeps the file that it reads")
    func inputsLife() throws {
        weak var input: JPXInput?
        let stream = try {
            let made = JPXInput([0, 0, 0, 12])
            input = made
            return try #require(made.makeStream())
        }()
        #expect(input != nil)
        opj_stream_destroy(stream)
        #expect(input == nil)
    }
}
