internal import CLinux

/// The standard streams of a service.
package enum StandardStream {
    /// Writes a text in one call; a failed write is ignored, because nobody reads the stream.
    package static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { _ = CLinux.write(descriptor, $0.baseAddress, $0.count) }
    }
}
