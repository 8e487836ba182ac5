import COpenJPEG
import PageRenderer
import Testing

/// The ownership of a file that OpenJPEG reads.
extension PageRendererTests {
    @Test("an OpenJPEG stream retains its input until it is destroyed")
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
