import CLCMS
import CTurboJPEG
import Media
import TestDeadline
import Testing

@Suite("Embedded profiles", .deadline)
struct ProfileTests {
    /// sRGB's primaries with light itself as values: its half is sRGB's 188.
    static let linear: [UInt8] = {
        var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: 0.64, y: 0.33, Y: 1), Green: cmsCIExyY(x: 0.30, y: 0.60, Y: 1),
            Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
        let curve = cmsBuildGamma(nil, 1)
        defer { cmsFreeToneCurve(curve) }
        return bytes(of: cmsCreateRGBProfile(&white, &primaries, [curve, curve, curve])!)
    }()

    static func bytes(of profile: cmsHPROFILE) -> [UInt8] {
        defer { cmsCloseProfile(profile) }
        var count: cmsUInt32Number = 0
        cmsSaveProfileToMem(profile, nil, &count)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        cmsSaveProfileToMem(profile, &bytes, &count)
        return bytes
    }

    /// The file with a profile in as many segments as asked.
    static func embedding(_ profile: [UInt8], in file: [UInt8], parts: Int) -> [UInt8] {
        let length = (profile.count + parts - 1) / parts
        return (0..<parts).reduce(file) { file, index in
            // Each is put before the others, so that they stand in the wrong order.
            let part = profile.dropFirst(index * length).prefix(length)
            return MadeJPEG.inserting(
                0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(parts)] + part, into: file)
        }
    }

    @Test("Colours become sRGB, whatever the order of the profile's parts", arguments: [1, 3])
    func converted(parts: Int) throws {
        let made = MadeJPEG(width: 64, height: 64) { _, _ in (128, 128, 128) }
        let file = Self.embedding(Self.linear, in: made.bytes, parts: parts)
        let (facts, bitmaps) = try TestRun().rendered(file, into: "16x16")
        #expect(bitmaps[0].isNear([188, 188, 188], at: (0.5, 0.5), within: 2))
        #expect(facts.colorSpace == "icc-rgb")
    }

    @Test("sRGB's own profile changes nothing")
    func standard() throws {
        let made = MadeJPEG.quarters(width: 64, height: 64)
        let plain = try TestRun().rendered(made.bytes, into: "64x64").bitmaps[0]
        let file = Self.embedding(Self.bytes(of: cmsCreate_sRGBProfile()!), in: made.bytes, parts: 1)
        let (facts, bitmaps) = try TestRun().rendered(file, into: "64x64")
        #expect(facts.colorSpace == "srgb")
        #expect((0..<64).allSatisfy { bitmaps[0].pixel($0, $0) == plain.pixel($0, $0) })
    }

    @Test("A gray profile is applied to a gray picture, and a colour profile is declined")
    func gray() throws {
        var made = MadeJPEG(width: 32, height: 32) { _, _ in (128, 128, 128) }
        made.subsampling = TJSAMP_GRAY
        var white = cmsCIExyY(x: 0.3457, y: 0.3585, Y: 1)
        let curve = cmsBuildGamma(nil, 1)
        defer { cmsFreeToneCurve(curve) }
        let profile = Self.bytes(of: cmsCreateGrayProfile(&white, curve)!)
        let bitmap = try TestRun().rendered(Self.embedding(profile, in: made.bytes, parts: 1), into: "16x16").bitmaps[0]
        #expect(bitmap.isNear([188, 188, 188], at: (0.5, 0.5), within: 2))
        #expect(try TestRun().declines(Self.embedding(Self.linear, in: made.bytes, parts: 1)))
    }
}
