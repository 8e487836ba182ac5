internal import Media

extension PageSurface {
    /// Copies a part of the scaled page as RGB, rows from the top without gaps.
    ///
    /// - Precondition: `part` lies in `area`, and `rows` holds three bytes for each of its pixels.
    func copy(_ part: PixelArea, to rows: UnsafeMutablePointer<UInt8>) {
        for row in 0..<part.size.height {
            let target = rows + row * part.size.width * 3
            withRow(row + part.y - area.y) { pixels in
                let source = pixels + (part.x - area.x) * 4
                for column in 0..<part.size.width {
                    target[column * 3] = source[column * 4 + 2]
                    target[column * 3 + 1] = source[column * 4 + 1]
                    target[column * 3 + 2] = source[column * 4]
                }
            }
        }
    }

    /// Averages a smaller layout out of this surface, as RGB, rows from the top without gaps.
    ///
    /// - Precondition: `layout` is of the same page at a smaller scale, its crop lies in `area`, and `rows` holds three
    ///   bytes for each of its pixels.
    func average(_ layout: Layout, to rows: UnsafeMutablePointer<UInt8>) {
        let down = weights(
            layout.cropY, layout.cropped.height, layout.scaled.height, scaled.height, area.y, area.size.height, 256)
        let across = weights(
            layout.cropX, layout.cropped.width, layout.scaled.width, scaled.width, area.x, area.size.width, 65536)
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: area.size.width * 4) { sums in
            for (row, span) in down.spans.enumerated() {
                addRows(of: span, down.weights, into: sums)
                Self.addColumns(of: sums.baseAddress!, by: across, into: rows + row * layout.cropped.width * 3)
            }
        }
    }

    private func weights(
        _ crop: Int, _ length: Int, _ side: Int, _ ownSide: Int, _ origin: Int, _ limit: Int, _ total: Int
    ) -> AreaWeights {
        let step = Double(ownSide) / Double(side)
        return AreaWeights(
            length: length, start: Double(crop) * step - Double(origin), step: step, limit: limit, total: total)
    }

    /// Weighted sums of rows, column by column: 16 bits hold 255 × 256.
    private func addRows(of span: AreaWeights.Span, _ weights: [UInt32], into sums: UnsafeMutableBufferPointer<UInt16>)
    {
        sums.update(repeating: 0)
        for (offset, place) in span.weights.enumerated() {
            let weight = UInt16(weights[place])
            withRow(span.first + offset) { pixels in
                for column in 0..<sums.count { sums[column] &+= UInt16(pixels[column]) &* weight }
            }
        }
    }

    /// Weighted sums of columns: 32 bits hold 255 × 256 × 65,536, and half of the last for rounding.
    private static func addColumns(
        of sums: UnsafePointer<UInt16>, by across: AreaWeights, into target: UnsafeMutablePointer<UInt8>
    ) {
        across.weights.withUnsafeBufferPointer { weights in
            for (column, span) in across.spans.enumerated() {
                var blue: UInt32 = 1 << 23
                var green: UInt32 = 1 << 23
                var red: UInt32 = 1 << 23
                var pixel = sums + span.first * 4
                for place in span.weights {
                    blue &+= UInt32(pixel[0]) &* weights[place]
                    green &+= UInt32(pixel[1]) &* weights[place]
                    red &+= UInt32(pixel[2]) &* weights[place]
                    pixel += 4
                }
                target[column * 3] = UInt8(truncatingIfNeeded: red >> 24)
                target[column * 3 + 1] = UInt8(truncatingIfNeeded: green >> 24)
                target[column * 3 + 2] = UInt8(truncatingIfNeeded: blue >> 24)
            }
        }
    }
}
