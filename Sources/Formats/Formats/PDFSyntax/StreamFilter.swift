internal import CZlib

/// The filters that structural streams use (ISO 32000-1, 7.4): none or Flate, with or without PNG predictors.
package enum StreamFilter {
    /// Decoding stops at about this many bytes: a bound on the cost of a hostile file.
    package static let maximumByteCount = 16 << 20

    private static let rowLengths = 1...4096

    /// A stream's decoded data; `nil` if the stream has another filter or the data are damaged from the start.
    ///
    /// - Parameters:
    ///   - data: the encoded data.
    ///   - entries: the stream's dictionary.
    ///   - maximum: decoding stops at about this many bytes.
    static func decoded(
        _ data: ArraySlice<UInt8>, _ entries: PDFDictionary, atMost maximum: Int = maximumByteCount
    ) -> [UInt8]? {
        guard let filter = entries["/Filter"] else { return Array(data.prefix(maximum)) }
        let names = filter.elements ?? [filter]
        guard names.count == 1, names[0].name == "/FlateDecode", let bytes = inflated(data, maximum) else {
            return nil
        }
        let parameters = entries["/DecodeParms"].flatMap { $0.elements?.first ?? $0 }?.dictionary
        let predictor = parameters?["/Predictor"]?.integer ?? 1
        guard predictor > 1 else { return bytes }
        // Predictor 2 (TIFF) is meant for images: no writer uses it in structural streams.
        guard predictor >= 10, (parameters?["/BitsPerComponent"]?.integer ?? 8) == 8 else { return nil }
        let (columns, colours) = (parameters?["/Columns"]?.integer ?? 1, parameters?["/Colors"]?.integer ?? 1)
        guard rowLengths.contains(columns), rowLengths.contains(colours), rowLengths.contains(columns * colours)
        else { return nil }
        return PNGPredictor.undone(bytes, rowLength: columns * colours, pixelLength: colours)
    }

    /// The inflated data, up to the first damage or the end of truncated data.
    private static func inflated(_ data: ArraySlice<UInt8>, _ maximum: Int) -> [UInt8]? {
        var stream = z_stream()
        guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        let chunkLength = 64 << 10
        return data.withUnsafeBufferPointer { input in
            // zlib does not write to its input, although the type lacks `const`.
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.avail_in = UInt32(clamping: input.count)
            var status = Z_OK
            while status == Z_OK, output.count < maximum {
                output += [UInt8](unsafeUninitializedCapacity: chunkLength) { buffer, count in
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = UInt32(chunkLength)
                    status = inflate(&stream, Z_NO_FLUSH)
                    count = chunkLength - Int(stream.avail_out)
                }
                if stream.avail_out > 0 && stream.avail_in == 0 { break }
            }
            return output.isEmpty ? nil : output
        }
    }
}
