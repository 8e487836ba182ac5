internal import CFFmpeg
internal import Media
internal import Rendering
internal import Wire

// The notes that `--explain` prints. `note` evaluates a text only if notes were requested.
extension RenderJob {
    func noteDecoder(_ decoder: Decoder, _ options: Decoder.Options, of stream: Stream, in container: Container) {
        var text: String {
            var words = ["\(container.formatName): stream \(stream.index) of \(container.streams.count)"]
            words.append("\(stream.codecName ?? "unknown") by FFmpeg's \(decoder.name)")
            if options.threadCount > 1 { words.append("\(options.threadCount) threads") }
            if options.skipsLoopFilter { words.append("without loop filter") }
            return words.joined(separator: ", ")
        }
        note(.decoder, text)
    }

    func noteShape(
        _ presentation: Presentation, _ display: StreamDisplay, _ frame: Frame, _ aperture: CleanAperture?
    ) {
        var text: String {
            let turn = presentation.orientation
            let origin = display.matrix != nil ? "container" : "codec"
            var words = [turn == .upright ? "upright" : "\(turn.words), by the \(origin)'s display matrix"]
            let own = display.pixelAspectRatio(in: aperture)
            let shape = own ?? frame.pointer.pointee.sample_aspect_ratio
            if shape.num > 0, shape.num != shape.den {
                words.append("pixels of \(shape.num):\(shape.den), by the \(own != nil ? "container" : "codec")")
            }
            if let aperture {
                words.append("\(display.apertureOrigin) of \(aperture.size) at \(aperture.left), \(aperture.top)")
            }
            return words.joined(separator: "; ") + "; shown \(presentation.shownSize)"
        }
        note(.orientation, text)
    }

    func noteColour(_ frame: Frame, storedSize: PixelSize) {
        note(.colour, frame.colourWords(storedSize: storedSize))
    }

    func noteFrame(_ poster: Facts.Poster, _ frame: Frame) {
        var text: String {
            let why =
                switch poster.reason {
                case "first": "the first that is shown"
                case "first-blank": "the first frame is blank: the first one found with content"
                case "cover": "the cover art: there is no video"
                default: "as requested"
                }
            let fields =
                frame.isInterlaced
                ? "; two fields, \(frame.isTopFieldFirst ? "upper" : "lower") first"
                : frame.isSingleField ? "; one field, shown at twice its height" : ""
            let key = frame.isKey && poster.reason != "cover" ? ", a key frame" : ""
            return "at \(poster.time) s: \(why)\(key)\(fields)"
        }
        note(.frame, text)
    }

    func noteShrink(
        _ stored: PixelSize, decodedAs decoded: PixelSize, to scaled: PixelSize,
        leavesOutField: @autoclosure () -> Bool
    ) {
        note(
            .shrink,
            "\(stored) decoded as \(decoded), scaled to \(scaled)\(leavesOutField() ? ", from the first field alone" : "")"
        )
    }

    func noteLimits(_ container: Container, _ frame: PixelSize, packetCount: Int?) {
        let limits = request.limits
        let packets = packetCount.map { ", packets: \($0)" } ?? ""
        note(
            .limits,
            "read \(container.readByteCount) of \(limits.posterReadByteCount) bytes\(packets); "
                + "frame of \(frame.pixelCount) of \(limits.framePixelCount) pixels; "
                + "\(container.streams.count) of \(limits.streamCount) streams")
    }
}

extension Frame {
    /// The interpretation of the frame's colours, for `--explain`.
    func colourWords(storedSize: PixelSize) -> String {
        let colour = FrameColour(of: self, storedSize: storedSize)
        var words = [format.name]
        if !format.isRGB {
            let isTold = FrameColour.Matrix(pointer.pointee.colorspace) != nil
            words.append("\(colour.matrix.name)\(isTold ? "" : " (not stated: assumed from the size)")")
            words.append(colour.isFullRange ? "full range" : "limited range")
        }
        switch colour.transfer {
        case .standard:
            words.append(colour.needsMapping ? "\(colour.primaries) primaries converted to sRGB" : "as sRGB")
        case .pq: words.append("PQ: BT.2390's curve from the picture's peak to 203 cd/m²")
        case .hlg: words.append("HLG: BT.2390's curve from 1,000 to 203 cd/m²")
        }
        return words.joined(separator: ", ")
    }
}
