/// A box of the ISO base media file format: size, four-character code, payload.
func box(_ type: String, _ payload: [UInt8]...) -> [UInt8] {
    let payload = payload.flatMap { $0 }
    return UInt32(payload.count + 8).big + ascii(type) + payload
}

/// An `ftyp` box with its major and compatible brands.
func brands(_ major: String, _ compatible: String...) -> [UInt8] {
    box("ftyp", ascii(major), zeros(4), ascii(compatible.joined()))
}

/// A track with a handler of a type, and with QuickTime's data handler in `minf`, which does not describe the track.
func track(_ handler: String) -> [UInt8] {
    let data = box("minf", box("hdlr", zeros(4), ascii("dhlralis"), zeros(12)))
    return box("trak", box("tkhd", zeros(84)), box("mdia", box("mdhd", zeros(24)), data, handlerBox(handler)))
}

private func handlerBox(_ handler: String) -> [UInt8] {
    box("hdlr", zeros(8), ascii(handler), zeros(13))
}
