import CLinux
import Linux
import Media
import SourceFiles
import TestDeadline
import TestSupport
import Testing
import Worker

@Suite("Sources are opened below their roots alone", .deadline)
struct SourceRootsTests {
    private final class Place {
        let folder: String

        init() {
            folder = TemporaryFolder.make("roots")
            system(
                """
                cd '\(folder)' && mkdir -p root/sub 'root2' && echo secret > secret && echo twin > root2/file
                echo file > root/file && echo deep > root/sub/deep && ln -s sub/deep root/inner && ln -s ../secret root/out
                ln -s '\(folder)/root/file' root/absolute && ln -s .. root/up && ln -s sub root/alias && ln -s root door
                """)
        }

        deinit { system("rm -rf '\(folder)'") }
    }

    private func outcome(_ roots: SourceRoots, _ path: String) -> String {
        do throws(Failure) {
            let bytes = (try? roots.open(path).descriptor.bytes(at: 0, count: 9)) ?? []
            _ = try roots.open(path)
            return String(decoding: bytes.dropLast(), as: UTF8.self)
        } catch {
            return error.detail == "outside the roots" ? "outside" : error.code.rawValue
        }
    }

    @Test("Names are bytes: a folder whose name is written otherwise is outside", arguments: [true, false])
    func normalisation(usesOpenat2: Bool) throws {
        let place = Place()
        let (root, twin) = ("\(place.folder)/r\u{E9}", "\(place.folder)/re\u{301}")
        system("mkdir '\(root)' '\(twin)' && echo file > '\(root)/file' && echo twin > '\(twin)/file'")
        system("mkdir '\(root)/\u{301}x' && echo deep > '\(root)/\u{301}x/file'")
        let roots = try SourceRoots([root], maxByteCount: 100, usesOpenat2: usesOpenat2)
        #expect(outcome(roots, "\(root)/file") == "file")
        #expect(outcome(roots, "\(twin)/file") == "outside")
        #expect(outcome(roots, "\(root)/\u{301}x/file") == "deep")
    }

    @Test("Files below a root open; ways out of it do not", arguments: [true, false])
    func beneath(usesOpenat2: Bool) throws {
        let place = Place()
        let root = "\(place.folder)/root"
        let roots = try SourceRoots([root], maxByteCount: 100, usesOpenat2: usesOpenat2)
        #expect(outcome(roots, "\(root)/file") == "file")
        #expect(outcome(roots, "\(root)/./sub//deep") == "deep")
        #expect(outcome(roots, "\(root)/../secret") == "outside")
        #expect(outcome(roots, "\(root)/sub/../../secret") == "outside")
        #expect(outcome(roots, "\(place.folder)/root2/file") == "outside")
        #expect(outcome(roots, "\(place.folder)/secret") == "outside")
        #expect(outcome(roots, "/etc/passwd") == "outside")
        #expect(outcome(roots, "\(root)/nothing") == "sourceMissing")
        #expect(outcome(roots, "\(root)/file/below") == "sourceMissing")
        #expect(outcome(roots, root) == "sourceMissing")
        // A link that leads outside is refused either way; a link that stays below the root is followed if the kernel
        // checks it.
        for link in ["out", "absolute", "up/secret"] {
            let refused = ["outside", "sourceMissing"].contains(outcome(roots, "\(root)/\(link)"))
            #expect(refused, "\(link)")
        }
        #expect(outcome(roots, "\(root)/inner") == (usesOpenat2 ? "deep" : "sourceMissing"))
        #expect(outcome(roots, "\(root)/alias/deep") == (usesOpenat2 ? "deep" : "sourceMissing"))
    }

    @Test("A root may be named by a link, and jobs may name either")
    func linkedRoot() throws {
        let place = Place()
        let roots = try SourceRoots(["\(place.folder)/door"], maxByteCount: 100)
        #expect(outcome(roots, "\(place.folder)/door/file") == "file")
        #expect(outcome(roots, "\(place.folder)/root/file") == "file")
    }

    @Test("A root that is no folder is refused at the start", arguments: ["/nowhere", "relative", "/etc/passwd"])
    func noRoot(path: String) {
        #expect(throws: Failure.self) { try SourceRoots([path], maxByteCount: 1) }
    }

    @Test("A link that another thread swaps meanwhile never leads out of the root: 20,000 opens")
    func swapping() throws {
        let place = Place()
        let root = "\(place.folder)/root"
        let roots = try SourceRoots([root], maxByteCount: 100)
        let isOver = Promise<Void>()
        let swapper = try WorkerThread(name: "swap") {
            let (path, next) = ("\(root)/swapped", "\(root)/next")
            while isOver.current == nil {
                for target in ["sub", ".."] {
                    symlink(target, next)
                    rename(next, path)
                }
            }
        }
        var seen: Set<String> = []
        for _ in 0..<10_000 {
            seen.insert(outcome(roots, "\(root)/swapped/deep"))
            seen.insert(outcome(roots, "\(root)/swapped/secret"))
        }
        isOver.fulfil(())
        swapper.join()
        #expect(seen.contains("deep"), "the swapping was met in both states")
        #expect(!seen.contains("secret"))
    }
}
