internal import Media

extension PageSurface {
    /// Whether no pixel is anything but white. Ends with the first row that has one.
    var isWhite: Bool {
        (0..<area.size.height).allSatisfy { row in
            withRow(row) { pixels in
                let words = UnsafeRawPointer(pixels).assumingMemoryBound(to: UInt32.self)
                // Blue, green and red are the lower three bytes; the fourth means nothing.
                var common: UInt32 = 0xFF_FFFF
                for column in 0..<area.size.width { common &= words[column] }
                return common == 0xFF_FFFF
            }
        }
    }
}

extension PageSurface {
    /// Copies a part of the scaled page as RGB, rows from the top without gaps.
    ///
    /// - Precondition: `part` lies in `area`, and `rows` holds three bytes for each of its pixels.
    func copy(_ part: PixelArea, to rows: UnsafeMutablePointer<UInt8>) {
        for row in 0..<part.size.height {
            withRow(row + part.y - area.y) { pixels in
                Self.copyPixels(
                    of: UnsafeRawPointer(pixels + (part.x - area.x) * 4), count: part.size.width,
                    to: UnsafeMutableRawPointer(rows + row * part.size.width * 3))
            }
        }
    }

    /// Four pixels are three words of the result: a third of the stores that bytes would take.
    private static func copyPixels(of source: UnsafeRawPointer, count: Int, to target: UnsafeMutableRawPointer) {
        func pixel(_ index: Int) -> UInt32 {
            source.load(fromByteOffset: index * 4, as: UInt32.self).byteSwapped >> 8
        }
        let whole = count & ~3
        for index in stride(from: 0, to: whole, by: 4) {
            let (first, second, third, fourth) = (pixel(index), pixel(index + 1), pixel(index + 2), pixel(index + 3))
            target.storeBytes(of: first | second << 24, toByteOffset: index * 3, as: UInt32.self)
            target.storeBytes(of: second >> 8 | third << 16, toByteOffset: index * 3 + 4, as: UInt32.self)
            target.storeBytes(of: third >> 16 | fourth << 8, toByteOffset: index * 3 + 8, as: UInt32.self)
        }
        for index in whole..<count {
            for byte in 0..<3 {
                let value = UInt8(truncatingIfNeeded: pixel(index) >> (8 * byte))
                target.storeBytes(of: value, toByteOffset: index * 3 + byte, as: UInt8.self)
            }
        }
    }
}

extension PageSurface {
    /// Averages a smaller layout out of this surface, as RGB, rows from the top without gaps.
    ///
    /// - Precondition: `layout` is of the same page at a smaller scale, its crop lies in `area`, and `rows` holds three
    ///   bytes for each of its pixels.
    func average(_ layout: Layout, to rows: UnsafeMutablePointer<UInt8>) {
        let (across, down) = weights(of: layout)
        // Sums of rows are 256 times too large, these weights 65,536 times.
        let shares = across.weights.map { Float($0) / Float(1 << 24) }
        withUnsafeTemporaryAllocation(of: SIMD4<UInt16>.self, capacity: area.size.width) { sums in
            for (row, span) in down.spans.enumerated() {
                addRows(of: span, down.weights, into: sums)
                let target = rows + row * layout.cropped.width * 3
                Self.addColumns(of: sums.baseAddress!, by: across.spans, shares, into: target)
            }
        }
    }

    private func weights(of layout: Layout) -> (across: AreaWeights, down: AreaWeights) {
        let stepX = Double(scaled.width) / Double(layout.scaled.width)
        let stepY = Double(scaled.height) / Double(layout.scaled.height)
        let across = AreaWeights(
            length: layout.cropped.width, start: Double(layout.cropX) * stepX - Double(area.x), step: stepX,
            limit: area.size.width, total: 1 << 16)
        let down = AreaWeights(
            length: layout.cropped.height, start: Double(layout.cropY) * stepY - Double(area.y), step: stepY,
            limit: area.size.height, total: 1 << 8)
        return (across, down)
    }

    /// Weighted sums of rows, column by column: 16 bits hold 255 × 256.
    private func addRows(
        of span: AreaWeights.Span, _ weights: [UInt32], into sums: UnsafeMutableBufferPointer<SIMD4<UInt16>>
    ) {
        let channels = UnsafeMutableRawBufferPointer(sums).assumingMemoryBound(to: UInt16.self)
        channels.update(repeating: 0)
        for (offset, place) in span.weights.enumerated() {
            let weight = UInt16(weights[place])
            withRow(span.first + offset) { pixels in
                for column in 0..<channels.count { channels[column] &+= UInt16(pixels[column]) &* weight }
            }
        }
    }

    /// Weighted sums of columns, all channels of a pixel at once.
    private static func addColumns(
        of sums: UnsafePointer<SIMD4<UInt16>>, by spans: [AreaWeights.Span], _ shares: UnsafePointer<Float>,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        for (column, span) in spans.enumerated() {
            var pixel = SIMD4<Float>.zero
            var source = sums + span.first
            for place in span.weights {
                pixel += SIMD4<Float>(source.pointee) * shares[place]
                source += 1
            }
            // Next to 2²³ a float has no fraction: the sum is rounded, and its lowest bits are the number.
            pixel += 0x1p23
            target[column * 3] = UInt8(truncatingIfNeeded: pixel.z.bitPattern)
            target[column * 3 + 1] = UInt8(truncatingIfNeeded: pixel.y.bitPattern)
            target[column * 3 + 2] = UInt8(truncatingIfNeeded: pixel.x.bitPattern)
        }
    }
}
