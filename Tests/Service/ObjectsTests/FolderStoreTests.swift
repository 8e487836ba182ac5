import CLinux
import Foundation
import Linux
import Media
import Objects
import TestDeadline
import TestSupport
import Testing
import Thumbnailer

@Suite("The store in a folder", .deadline)
struct FolderStoreTests {
    private let bench = try! StoreBench()
    private var root: String { "\(bench.folder)/store" }

    private func mode(_ path: String) throws -> UInt32 { try FileStatus.of(path: "\(root)/\(path)").mode & 0o777 }

    @Test("Folders and files are for their owner alone, whatever the umask")
    func modes() throws {
        let file = try bench.store.begin()
        #expect(try mode("incoming/\(file.id)") == 0o600)
        try bench.put("a", at: "u/t/a")
        for folder in [".", "files", "incoming", "files/u", "files/u/t"] { #expect(try mode(folder) == 0o700) }
        #expect(try mode("files/u/t/a") == 0o600)
    }

    @Test("A folder that is missing is made only on demand, with those above it")
    func making() throws {
        let path = "\(bench.folder)/x/y/z/"
        #expect(throws: ObjectError.missing) { try FolderStore(path: path, making: false) }
        _ = try FolderStore(path: path, making: true)
        _ = try FolderStore(path: path, making: true)
        _ = try FolderStore(path: path, making: false)
        #expect(try FileStatus.of(path: path).mode & 0o777 == 0o700)
    }

    @Test("A folder of another user, or one that others may write to, is refused with the reason")
    func strangers() throws {
        chmod(root, 0o770)
        #expect(throws: ObjectError.unavailable(detail: "others may write to the store's folder: chmod go-w")) {
            try FolderStore(path: root, making: true)
        }
        chmod(root, 0o700)
        // As root a stranger's folder can be made; else the root folder is one.
        let stranger = "\(bench.folder)/stranger"
        mkdir(stranger, 0o700)
        let isStrangers = chown(stranger, 12345, 12345) == 0
        #expect {
            try FolderStore(path: isStrangers ? stranger : "/", making: false)
        } throws: { error in
            (error as? ObjectError)?.detail.contains("belongs to user \(isStrangers ? 12345 : 0)") == true
        }
    }

    @Test("Links that are planted below the folder lead nowhere")
    func links() throws {
        let outside = "\(bench.folder)/outside"
        mkdir(outside, 0o700)
        try Descriptor.open("\(outside)/secret", O_WRONLY | O_CREAT).write(Array("secret".utf8))
        symlink(outside, "\(root)/files/out")
        symlink("\(outside)/secret", "\(root)/files/secret")
        for path in ["out/secret", "secret"] {
            #expect(throws: ObjectError.self) { try bench.store.open(.of(path)) }
            #expect(throws: ObjectError.self) { try bench.store.source(.of(path)) }
        }
        #expect(throws: ObjectError.missing) { try bench.store.status(of: .of("secret")) }
        #expect(throws: ObjectError.self) { try bench.put("x", at: "out/new") }
        #expect(throws: ObjectError.taken) { try bench.put("x", at: "secret") }
        #expect(try !bench.store.remove(.of("out/secret")))
        #expect(try bench.paths() == [])
        #expect(try FolderNames.texts(in: outside) == ["secret"])
        let id = IncomingID.random()
        symlink("\(outside)/secret", "\(root)/incoming/\(id)")
        #expect(throws: ObjectError.self) { try bench.store.resume(id) }
        // A link in the place of an object is replaced, not followed.
        try bench.put("mine", at: "secret", replacing: true)
        #expect(try bench.text(at: "secret") == "mine")
        #expect(try Descriptor.open("\(outside)/secret", O_RDONLY).bytes(at: 0, count: 9) == Array("secret".utf8))
    }

    @Test("Pipes, folders and names that are no text are no objects, and stop nothing")
    func oddities() throws {
        mkfifo("\(root)/files/pipe", 0o600)
        mkdir("\(root)/files/folder", 0o700)
        try Descriptor.open(path: Array("\(root)/files/".utf8) + [0xFF, 0x41], O_WRONLY | O_CREAT).write([1])
        try Descriptor.open("\(root)/files/a\u{1}b", O_WRONLY | O_CREAT).write([1])
        try bench.put("a", at: "a")
        #expect(throws: ObjectError.missing) { try bench.store.open(.of("pipe")) }
        #expect(throws: ObjectError.missing) { try bench.store.open(.of("folder")) }
        #expect(throws: ObjectError.taken) { try bench.put("x", at: "folder") }
        #expect(throws: ObjectError.taken) { try bench.put("x", at: "folder", replacing: true) }
        #expect(throws: ObjectError.taken) { try bench.put("x", at: "a/below") }
        #expect(try bench.paths() == ["a"])
        mkfifo("\(root)/incoming/\(IncomingID.random())", 0o600)
        try Descriptor.open("\(root)/incoming/README", O_WRONLY | O_CREAT).write([1])
        #expect(try bench.store.incoming(untouchedFor: .zero) == [])
    }

    @Test("An object is as old as its commit, even if its last bytes arrived long before")
    func ages() throws {
        let file = try bench.store.begin()
        try file.append([1, 2, 3])
        var times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000_000, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, "\(root)/incoming/\(file.id)", &times, 0) == 0)
        #expect(try bench.store.incoming(untouchedFor: .seconds(86_400)).map(\.id) == [file.id])
        let before = Time.wallAsFilesSeeIt
        let stored = try file.commit(to: .of("u/a"), replacing: false)
        #expect(stored.modified >= before)
        #expect(try bench.store.status(of: .of("u/a")).modified == stored.modified)
    }

    @Test("A removal takes the empty folders above away, and never the store's own")
    func emptyFolders() throws {
        try bench.put("a", at: "u/t/deep/a")
        try bench.put("b", at: "u/b")
        try bench.store.remove(.of("u/t/deep/a"))
        #expect(try FolderNames.texts(in: "\(root)/files/u") == ["b"])
        try bench.store.move(.of("u/b"), to: .of("v/b"), replacing: false)
        #expect(try FolderNames.texts(in: "\(root)/files") == ["v"])
        try bench.store.remove(.of("v/b"))
        #expect(try FolderNames.texts(in: "\(root)/files").isEmpty)
        // What an interrupted removal has left goes with the next one.
        mkdir("\(root)/files/w", 0o700)
        #expect(try !bench.store.remove(.of("w/gone")))
        #expect(try FolderNames.texts(in: "\(root)/files").isEmpty)
    }

    @Test("Objects are stored while others empty the same folder")
    func folderRaces() async throws {
        let bench = bench
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    for round in 0..<200 {
                        let path = "u/t/\(number)-\(round)"
                        try bench.put(path, at: path)
                        if try bench.text(at: path) != path { throw ObjectError.missing }
                        try bench.store.remove(.of(path))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try FolderNames.texts(in: "\(root)/files").isEmpty)
        #expect(try FolderNames.texts(in: "\(root)/incoming").isEmpty)
    }

    @Test("Another process's lock keeps an incoming file, and its death frees it")
    func otherProcess() throws {
        var file: (any IncomingObject)? = try bench.store.begin()
        let id = file!.id
        try file!.append([1, 2])
        let place = "\(root)/incoming/\(id)"
        let check = Process()
        check.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        check.arguments = ["-n", place, "true"]
        try check.run()
        check.waitUntilExit()
        #expect(check.terminationStatus == 1, "the lock is one that other processes see")
        file = nil
        let holder = Process()
        let output = Pipe()
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        holder.arguments = ["--no-fork", place, "/bin/sh", "-c", "echo held; exec sleep 100"]
        holder.standardOutput = output
        try holder.run()
        #expect(output.fileHandleForReading.availableData == Data("held\n".utf8))
        #expect(throws: ObjectError.busy) { try bench.store.resume(id) }
        kill(holder.processIdentifier, SIGKILL)
        holder.waitUntilExit()
        #expect(try bench.store.resume(id).byteCount == 2)
    }

    @Test("A job's source is found by its key, and bounded")
    func jobs() throws {
        try bench.put("0123456789", at: "u/t/a")
        #expect(try bench.store.source(ofJob: "u/t/a", maxByteCount: 10).byteCount == 10)
        for (key, limit, code) in [
            ("u/t/a", 9, Failure.Code.tooLarge), ("u/t/b", 99, .sourceMissing),
            ("../../etc/passwd", 99, .sourceMissing),
            (String(repeating: "k", count: 2000), 99, .sourceMissing),
        ] {
            #expect {
                try bench.store.source(ofJob: key, maxByteCount: UInt64(limit))
            } throws: { ($0 as? Failure)?.code == code }
        }
    }
}
