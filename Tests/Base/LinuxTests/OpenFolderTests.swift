import CLinux
import Linux
import TestDeadline
import TestSupport
import Testing

@Suite("Files below an open folder", .deadline)
struct OpenFolderTests {
    /// A folder `inside` beside `outside`, opened as on a kernel with openat2 or without.
    private func folder(_ scratch: Scratch, usesOpenat2: Bool) throws -> OpenFolder {
        for name in ["inside", "inside/a", "outside"] { mkdir("\(scratch.path)/\(name)", 0o700) }
        try Descriptor.open("\(scratch.path)/outside/secret", O_WRONLY | O_CREAT).write([1])
        return OpenFolder(
            try Descriptor.open("\(scratch.path)/inside", O_RDONLY | O_DIRECTORY), usesOpenat2: usesOpenat2)
    }

    @Test("Files are made, read, renamed, counted and removed by their relative paths", arguments: [true, false])
    func life(usesOpenat2: Bool) throws {
        let scratch = try Scratch()
        let folder = try folder(scratch, usesOpenat2: usesOpenat2)
        try folder.makeFolder("a/b", mode: 0o700)
        try folder.open("a/b/file", O_WRONLY | O_CREAT | O_EXCL, mode: 0o600).write([1, 2, 3])
        #expect(try folder.status(of: "a/b/file").byteCount == 3)
        #expect(try folder.status(of: "a/b/file").mode & 0o777 == 0o600)
        try folder.rename("a/b/file", to: "other")
        #expect(try folder.open("other", O_RDONLY).readAll(limit: 10) == [1, 2, 3])
        #expect(try folder.status(of: "other").byteCount == 3)
        try folder.touch("other", accessed: 5_000_000_000)
        #expect(try folder.status(of: "other").accessed == 5_000_000_000)
        #expect(
            try folder.contents(of: "").map(\.name).sorted { $0.lexicographicallyPrecedes($1) }
                == [Array("a".utf8), Array("other".utf8)])
        try folder.remove("other")
        try folder.removeFolder("a/b")
        #expect(try folder.contents(of: "a").isEmpty)
        #expect(try folder.status(of: "").isDirectory)
    }

    @Test("Neither a link nor .. leads out of the folder", arguments: [true, false])
    func links(usesOpenat2: Bool) throws {
        let scratch = try Scratch()
        let folder = try folder(scratch, usesOpenat2: usesOpenat2)
        symlink("../outside", "\(scratch.path)/inside/folder")
        symlink("../outside/secret", "\(scratch.path)/inside/file")
        symlink("../outside/new", "\(scratch.path)/inside/dangling")
        for place in ["folder/secret", "file", "../outside/secret", "a/../../outside/secret"] {
            #expect(throws: SystemError.self) { try folder.open(place, O_RDONLY) }
            #expect(throws: SystemError.self) { try folder.open(place, O_WRONLY | O_TRUNC) }
        }
        for place in ["dangling", "folder/new"] {
            #expect(throws: SystemError.self) { try folder.open(place, O_WRONLY | O_CREAT) }
        }
        #expect(throws: SystemError.self) { try folder.contents(of: "folder") }
        #expect(throws: SystemError.self) { try folder.remove("folder/secret") }
        #expect(throws: SystemError.self) { try folder.rename("folder/secret", to: "mine") }
        #expect(throws: SystemError.self) { try folder.makeFolder("folder/new", mode: 0o700) }
        #expect(try folder.status(of: "file").isLink)
        try folder.remove("file")
        #expect(try FileStatus.of(path: "\(scratch.path)/outside/secret").byteCount == 1)
        #expect(try FolderNames.texts(in: "\(scratch.path)/outside") == ["secret"])
    }

    @Test("Names that are not valid UTF-8 are opened as they are")
    func bytes() throws {
        let scratch = try Scratch()
        let name = Array("\(scratch.path)/caf".utf8) + [0xE9]
        try Descriptor.open(path: name, O_WRONLY | O_CREAT).write([1])
        try Descriptor.open("\(scratch.path)/caf\u{FFFD}", O_WRONLY | O_CREAT).write([1, 2])
        #expect(try FileStatus.of(path: name).byteCount == 1)
        #expect(try FolderNames.bytes(in: Array(scratch.path.utf8)).contains(Array("caf".utf8) + [0xE9]))
    }
}

/// A folder of one test's own.
private final class Scratch {
    let path: String

    init() throws {
        path = TemporaryFolder.make("linux")
    }

    deinit { remove(path) }

    private func remove(_ path: String) {
        for name in (try? FolderNames.bytes(in: path)) ?? [] {
            let child = Array("\(path)/".utf8) + name
            if unlink(terminated(child)) != 0 { remove(String(decoding: child, as: UTF8.self)) }
        }
        rmdir(path)
    }
}
