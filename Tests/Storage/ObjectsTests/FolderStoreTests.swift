import CLinux
import Foundation
import Linux
import Media
import Objects
import SourceFiles
import TestDeadline
import TestSupport
import Testing

@Suite("The store in a folder", .deadline)
struct FolderStoreTests {
    private let bench = try! StoreBench()
    private var root: String { "\(bench.folder)/store" }

    private func mode(_ path: String) throws -> UInt32 { try FileStatus.of(path: "\(root)/\(path)").mode & 0o777 }

    @Test("Folders and files are for their owner alone, whatever the umask")
    func modes() throws {
        let file = try bench.store.begin()
        #expect(try mode("incoming/\(file.id)") == 0o600)
        let id = try bench.put("a")
        for folder in [".", "objects", "incoming", "objects/\(id.folder)"] { #expect(try mode(folder) == 0o700) }
        #expect(try mode("objects/\(id.folder)/\(id)") == 0o600)
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
        #expect(throws: ObjectError.unavailable(detail: "others can write to the store's folder: chmod go-w")) {
            try FolderStore(path: root, making: true)
        }
        chmod(root, 0o700)
        // Root can make a stranger's folder; otherwise the root folder is one.
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
        // A folder of objects, an object, and an incoming file.
        let (inFolder, object, incoming) = (ObjectID.random(), ObjectID.random(), ObjectID.random())
        symlink(outside, "\(root)/objects/\(inFolder.folder)")
        rename("\(outside)/secret", "\(outside)/\(inFolder)")
        mkdir("\(root)/objects/\(object.folder)", 0o700)
        let secret = "\(outside)/\(inFolder)"
        symlink(secret, "\(root)/objects/\(object.folder)/\(object)")
        symlink(secret, "\(root)/incoming/\(incoming)")
        for id in [inFolder, object] {
            #expect(throws: ObjectError.self) { try bench.store.open(id) }
            #expect(throws: ObjectError.self) { try bench.store.source(id, name: "a") }
        }
        #expect(throws: ObjectError.self) { try bench.store.resume(incoming) }
        #expect(throws: ObjectError.self) { try bench.put("x", as: inFolder) }
        #expect(throws: ObjectError.self) { try bench.store.remove(inFolder) }
        #expect(try bench.ids().isEmpty)
        #expect(try FolderNames.texts(in: outside) == ["\(inFolder)"])
        #expect(throws: ObjectError.self) { try bench.store.openForeign(ObjectPath("../outside/\(inFolder)")) }
        // A link in an object's place is replaced, not followed.
        try bench.put("mine", as: object)
        #expect(try bench.text(of: object) == "mine")
        #expect(try Descriptor.open(secret, O_RDONLY).bytes(at: 0, count: 9) == Array("secret".utf8))
    }

    @Test("Pipes, folders and names of others are no objects, and stop nothing")
    func oddities() throws {
        let id = try bench.put("a")
        let folder = "\(root)/objects/\(id.folder)"
        let (pipe, inner) = (
            ObjectID(rawValue: id.folder + String(repeating: "0", count: 30))!,
            id.folder + String(repeating: "1", count: 30)
        )
        mkfifo("\(folder)/\(pipe)", 0o600)
        mkdir("\(folder)/\(inner)", 0o700)
        try Descriptor.open(path: Array("\(folder)/".utf8) + [0xFF, 0x41], O_WRONLY | O_CREAT).write([1])
        try Descriptor.open("\(root)/objects/README", O_WRONLY | O_CREAT).write([1])
        #expect(throws: ObjectError.missing) { try bench.store.open(pipe) }
        #expect(throws: ObjectError.missing) { try bench.store.source(pipe, name: "a") }
        #expect(try bench.ids() == [id])
        mkfifo("\(root)/incoming/\(ObjectID.random())", 0o600)
        try Descriptor.open("\(root)/incoming/README", O_WRONLY | O_CREAT).write([1])
        #expect(try bench.store.incoming(untouchedFor: .zero) == [])
    }

    @Test("A file of another program is opened at its path below files/, and beneath it alone")
    func foreign() throws {
        mkdir("\(root)/files", 0o700)
        mkdir("\(root)/files/u", 0o700)
        try Descriptor.open("\(root)/files/u/a", O_WRONLY | O_CREAT).write(Array("theirs".utf8))
        symlink("/etc/passwd", "\(root)/files/u/link")
        #expect(try bench.store.openForeign(ObjectPath("u/a")).bytes() == Array("theirs".utf8))
        #expect(throws: ObjectError.missing) { try bench.store.openForeign(ObjectPath("u/b")) }
        #expect(throws: ObjectError.self) { try bench.store.openForeign(ObjectPath("u/link")) }
        #expect(try bench.ids().isEmpty)
    }

    @Test("An object is as old as its commit, even if its last bytes arrived long before")
    func ages() throws {
        let file = try bench.store.begin()
        try file.append([1, 2, 3])
        var times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000_000, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, "\(root)/incoming/\(file.id)", &times, 0) == 0)
        #expect(try bench.store.incoming(untouchedFor: .seconds(86_400)).map(\.id) == [file.id])
        let before = Time.wallAsFilesSeeIt
        try file.commit()
        let objects = try bench.store.all()
        #expect(objects.map(\.id) == [file.id] && objects.allSatisfy { $0.modified >= before })
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
        let id = try bench.put("0123456789").rawValue
        #expect(try bench.store.source(ofJob: id, maxByteCount: 10).byteCount == 10)
        for (key, limit, code) in [
            (id, 9, Failure.Code.tooLarge), (ObjectID.random().rawValue, 99, .sourceMissing),
            ("../../etc/passwd", 99, .sourceMissing), (String(repeating: "k", count: 2000), 99, .sourceMissing),
        ] {
            #expect {
                try bench.store.source(ofJob: key, maxByteCount: UInt64(limit))
            } throws: { ($0 as? Failure)?.code == code }
        }
    }
}
