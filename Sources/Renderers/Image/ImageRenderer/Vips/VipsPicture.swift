internal import CVips
internal import Media
internal import Rendering

/// A libvips image, whose pixels are computed when they are read.
///
/// Owns one reference to it.
final class VipsPicture {
    let pointer: UnsafeMutablePointer<VipsImage>

    init(owning pointer: UnsafeMutablePointer<VipsImage>) { self.pointer = pointer }

    deinit { g_object_unref(pointer) }

    var size: PixelSize {
        PixelSize(width: Int(vips_image_get_width(pointer)), height: Int(vips_image_get_height(pointer)))
    }

    var bandCount: Int { Int(vips_image_get_bands(pointer)) }
    var format: VipsBandFormat { vips_image_get_format(pointer) }
    var hasAlpha: Bool { vips_image_hasalpha(pointer) != 0 }

    /// The meaning of the bands: the file's statement, or libvips' guess if that contradicts their number or format.
    var interpretation: VipsInterpretation { vips_image_guess_interpretation(pointer) }

    /// The picture with its pixels in memory. All operations up to this point run, once.
    func inMemory() throws(Failure) -> VipsPicture {
        guard let copy = vips_image_copy_memory(pointer) else { throw VipsError.failure(in: "decoding") }
        return VipsPicture(owning: copy)
    }

    /// The picture with packed codings (Radiance's shared exponents, LabQ) unpacked.
    func unpacked() throws(Failure) -> VipsPicture {
        var out: UnsafeMutablePointer<VipsImage>?
        guard vips_image_decode(pointer, &out) == 0, let out else { throw VipsError.failure(in: "unpacking") }
        return VipsPicture(owning: out)
    }

    /// The picture with every sample multiplied by a factor, in floating point.
    func multiplied(by factor: Double) throws(Failure) -> VipsPicture {
        try VipsOperation("linear", on: self).with("a", .numbers([factor])).with("b", .numbers([0])).output()
    }

    /// The picture with another interpretation of its bands.
    func meaning(_ interpretation: VipsInterpretation) throws(Failure) -> VipsPicture {
        try VipsOperation("copy", on: self).with("interpretation", .integer(Int(interpretation.rawValue))).output()
    }

    /// A picture from a copy of 16-bit samples, in rows from the top without gaps.
    static func made(of samples: [UInt16], size: PixelSize, bandCount: Int) throws(Failure) -> VipsPicture {
        try made(of: samples, size, bandCount, VIPS_FORMAT_USHORT)
    }

    /// A picture from other samples, with the same bands, interpretation and profile.
    ///
    /// - Parameter planes: one for each band.
    func replaced(by planes: [Plane], size: PixelSize) throws(Failure) -> VipsPicture {
        let picture = try Self.made(of: Plane.interleaved(planes), size, planes.count, VIPS_FORMAT_UCHAR)
            .meaning(vips_image_get_interpretation(pointer))
        return try bytes("icc-profile-data").map(picture.tagged) ?? picture
    }

    private static func made<Sample>(
        of samples: [Sample], _ size: PixelSize, _ bandCount: Int, _ format: VipsBandFormat
    ) throws(Failure) -> VipsPicture {
        let image = samples.withUnsafeBytes {
            vips_image_new_from_memory_copy(
                $0.baseAddress, $0.count, Int32(size.width), Int32(size.height), Int32(bandCount), format)
        }
        guard let image else { throw VipsError.failure(in: "samples") }
        return VipsPicture(owning: image)
    }

    /// The picture with this ICC profile in place of its own.
    func tagged(_ profile: [UInt8]) throws(Failure) -> VipsPicture {
        let copy = try VipsOperation("copy", on: self).output()
        vips_image_set_blob_copy(copy.pointer, "icc-profile-data", profile, profile.count)
        return copy
    }
}

extension VipsPicture {
    /// The integer metadata of this name, if the loader set it.
    func integer(_ name: String) -> Int? {
        guard vips_image_get_typeof(pointer, name) != 0 else { return nil }
        var value: Int32 = 0
        return vips_image_get_int(pointer, name, &value) == 0 ? Int(value) : nil
    }

    /// The binary metadata of this name, if the loader set it.
    func bytes(_ name: String) -> [UInt8]? {
        guard vips_image_get_typeof(pointer, name) != 0 else { return nil }
        var data: UnsafeRawPointer?
        var count = 0
        guard vips_image_get_blob(pointer, name, &data, &count) == 0, let data else { return nil }
        return Array(UnsafeRawBufferPointer(start: data, count: count))
    }
}
