internal import CZlib

/// The data of a stream, as far as a file's own tables use it: deflated or plain, with or without PNG's predictors.
enum PDFStream {
    /// More than this no table and no object stream is unpacked to: a bound on what a hostile file costs.
    static let longest = 16 << 20

    private static let mostColumns = 1...4096

    /// The data of a stream; `nil` where it is coded in another way, or not at all what it says.
    ///
    /// - Parameter longest: it is unpacked to about so much.
    static func decoded(
        _ data: ArraySlice<UInt8>, _ entries: PDFDictionary, atMost longest: Int = longest
    ) -> [UInt8]? {
        guard let filter = entries["/Filter"] else { return Array(data.prefix(longest)) }
        let names = filter.elements ?? [filter]
        guard names.count == 1, names[0].name == "/FlateDecode", let bytes = inflated(data, longest) else {
            return nil
        }
        let parameters = entries["/DecodeParms"].flatMap { $0.elements?.first ?? $0 }?.dictionary
        let predictor = parameters?["/Predictor"]?.integer ?? 1
        guard predictor > 1 else { return bytes }
        // TIFF's predictor, 2, makes no sense in tables, and nobody writes it.
        guard predictor >= 10, (parameters?["/BitsPerComponent"]?.integer ?? 8) == 8 else { return nil }
        let (columns, colours) = (parameters?["/Columns"]?.integer ?? 1, parameters?["/Colors"]?.integer ?? 1)
        guard mostColumns.contains(columns), mostColumns.contains(colours), mostColumns.contains(columns * colours)
        else { return nil }
        return unpredicted(bytes, columns * colours, pixelLength: colours)
    }

    /// As much as can be inflated; what is cut off ends where it ends.
    private static func inflated(_ data: ArraySlice<UInt8>, _ longest: Int) -> [UInt8]? {
        var stream = z_stream()
        guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        let piece = 64 << 10
        return data.withUnsafeBufferPointer { input in
            // zlib does not write to its input, whose type lacks the const.
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.avail_in = UInt32(clamping: input.count)
            var status = Z_OK
            while status == Z_OK, output.count < longest {
                output += [UInt8](unsafeUninitializedCapacity: piece) { buffer, count in
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = UInt32(piece)
                    status = inflate(&stream, Z_NO_FLUSH)
                    count = piece - Int(stream.avail_out)
                }
                if stream.avail_out > 0 && stream.avail_in == 0 { break }
            }
            return output.isEmpty ? nil : output
        }
    }

    /// Undoes PNG's filters (PNG, 9.2) on rows of so many bytes.
    ///
    /// - Parameter pixelLength: bytes from one sample to the same colour's next (ISO 32000-1, table 8: /Colors).
    private static func unpredicted(_ bytes: [UInt8], _ columns: Int, pixelLength: Int) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var above = [UInt8](repeating: 0, count: columns)
        var place = 0
        while place + columns < bytes.count {
            var row = Array(bytes[place + 1...place + columns])
            guard let filter = PNGFilter(rawValue: bytes[place]) else { return nil }
            for column in 0..<columns {
                let left = column < pixelLength ? 0 : row[column - pixelLength]
                let corner = column < pixelLength ? 0 : above[column - pixelLength]
                row[column] &+= filter.predicted(left: left, above: above[column], corner: corner)
            }
            output += row
            above = row
            place += columns + 1
        }
        return output
    }
}

/// How a row of PNG's is predicted (PNG, 9.2).
private enum PNGFilter: UInt8 {
    case none, sub, up, average, paeth

    func predicted(left: UInt8, above: UInt8, corner: UInt8) -> UInt8 {
        switch self {
        case .none: return 0
        case .sub: return left
        case .up: return above
        case .average: return UInt8((Int(left) + Int(above)) / 2)
        case .paeth:
            let (toLeft, toAbove) = (abs(Int(above) - Int(corner)), abs(Int(left) - Int(corner)))
            let toCorner = abs(Int(left) + Int(above) - 2 * Int(corner))
            if toLeft <= toAbove && toLeft <= toCorner { return left }
            return toAbove <= toCorner ? above : corner
        }
    }
}
