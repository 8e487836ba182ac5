import CTurboJPEG
import Media
import TestDeadline
import Testing

@Suite("Files that are not plain are declined", .deadline)
struct DecliningTests {
    static let file = MadeJPEG.gradient(width: 320, height: 240).bytes

    @Test("Lossless and arithmetic coding, 12 bits, four components and RGB are declined", arguments: 0..<5)
    func codings(kind: Int) throws {
        var file = Self.file
        let frame = MadeJPEG.frame(in: file)
        switch kind {
        case 0: file[frame + 1] = 0xC3
        case 1: file[frame + 1] = 0xC9
        case 2: file[frame + 4] = 12
        case 3: file[frame + 9] = 4
        default:
            // Without JFIF's segment, and with Adobe's word that the components are red, green and blue.
            file = Array(file.prefix(2)) + file.dropFirst(20)
            #expect(try !TestRun().declines(file))
            file = MadeJPEG.inserting(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0], into: file)
        }
        #expect(try TestRun().declines(file))
    }

    @Test("A file truncated anywhere, or with an inverted byte in its scan, is declined", arguments: [false, true])
    func damaged(isProgressive: Bool) throws {
        var made = MadeJPEG.gradient(width: 320, height: 240)
        made.isProgressive = isProgressive
        let file = made.bytes
        for count in [0, 1, 2, 3, 20, 100, 300, 600] { #expect(try TestRun().declines(Array(file.prefix(count)))) }
        // Behind its first scan a progressive file may be as it likes: that scan shows the whole picture.
        guard !isProgressive else { return }
        for count in [file.count / 2, file.count - 40] { #expect(try TestRun().declines(Array(file.prefix(count)))) }
    }

    @Test("EXIF that is there twice, of another type or truncated is declined; a value out of range means upright")
    func oddEXIF() throws {
        let sound = MadeJPEG.exif(orientation: 6)
        let once = MadeJPEG.inserting(0xE1, sound, into: Self.file)
        #expect(try !TestRun().declines(once))
        #expect(try TestRun().declines(MadeJPEG.inserting(0xE1, sound, into: once)))
        #expect(
            try TestRun().declines(MadeJPEG.inserting(0xE1, MadeJPEG.exif(orientation: 6, type: 4), into: Self.file)))
        #expect(try TestRun().declines(MadeJPEG.inserting(0xE1, Array(sound.prefix(22)), into: Self.file)))
        let wrong = MadeJPEG.inserting(0xE1, MadeJPEG.exif(orientation: 9), into: Self.file)
        #expect(try TestRun().rendered(wrong, into: "32x32").facts.orientation == nil)
    }

    @Test("A profile with a part missing, or of no known kind, is declined")
    func oddProfiles() throws {
        let part = Array("ICC_PROFILE\0".utf8) + [1, 2] + [UInt8](repeating: 7, count: 200)
        #expect(try TestRun().declines(MadeJPEG.inserting(0xE2, part, into: Self.file)))
        var whole = part
        whole[13] = 1
        #expect(try TestRun().declines(MadeJPEG.inserting(0xE2, whole, into: Self.file)))
    }

    @Test("Pixels over the limit and impossible Huffman codes are declined")
    func limits() throws {
        var run = TestRun()
        run.limits.streamedPixelCount = 320 * 240 - 1
        #expect(try run.declines(Self.file))
        run.limits.streamedPixelCount = 320 * 240
        #expect(try !run.declines(Self.file))
        var file = Self.file
        let table = file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xC4 }!
        file[table + 5] = 3
        #expect(try TestRun().declines(file))
    }

    @Test("A few fill bytes before a marker are skipped, and a file of fill bytes is declined")
    func fill() throws {
        let fewer = Self.file.prefix(2) + Array(repeating: 0xFF, count: 1000) + Self.file.dropFirst(2)
        #expect(try !TestRun().declines(Array(fewer)))
        #expect(try TestRun().declines([0xFF, 0xD8] + Array(repeating: 0xFF, count: 100_000) + Self.file.dropFirst(2)))
    }

    @Test("Random bytes behind a JPEG's first marker are declined")
    func garbage() throws {
        var state: UInt32 = 1
        for _ in 0..<50 {
            let noise = (0..<500).map { _ -> UInt8 in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(state >> 24)
            }
            #expect(try TestRun().declines([0xFF, 0xD8, 0xFF] + noise))
        }
    }
}
