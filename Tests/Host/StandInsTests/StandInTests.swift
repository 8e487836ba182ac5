import CLinux
import Glibc
import Linux
import StandIns
import TestDeadline
import Testing

@Suite("The stand-in of a library", .deadline)
struct StandInTests {
    /// A library with versions, and one with variables.
    private static let libraries = ["libz.so.1", "libX11.so.6"]

    private static func file(_ name: String) throws -> [UInt8] {
        for folder in ["/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib64"] {
            guard let file = try? Descriptor.open("\(folder)/\(name)", O_RDONLY) else { continue }
            return try file.bytes(at: 0, count: Int(try file.status().byteCount))
        }
        throw SystemError("open \(name)", number: ENOENT)
    }

    /// The stand-in of a library, loaded beside it; nobody else in this process is bound to it.
    private struct Loaded {
        let handle: UnsafeMutableRawPointer

        init(_ name: String) throws {
            var path = Array("/tmp/compass-stand-in-XXXXXX".utf8CString)
            let file = Descriptor(owning: mkstemp(&path))
            defer { unlink(path) }
            try file.write(StandIn(of: try StandInTests.file(name)).bytes)
            handle = try #require(dlopen(path, RTLD_NOW | RTLD_LOCAL))
        }

        func close() { dlclose(handle) }
    }

    @Test("It has the name of the real one", arguments: libraries)
    func name(library: String) throws {
        #expect(try StandIn(of: Self.file(library)).name == library)
    }

    @Test("The dynamic linker finds its functions, and no others")
    func functions() throws {
        let loaded = try Loaded("libz.so.1")
        defer { loaded.close() }
        #expect(dlsym(loaded.handle, "inflate") != nil)
        #expect(dlsym(loaded.handle, "inflate") != dlsym(loaded.handle, "deflate"))
        #expect(dlsym(loaded.handle, "explode") == nil)
    }

    @Test("Its variables are there, empty, and can be written to")
    func variables() throws {
        let loaded = try Loaded("libX11.so.6")
        defer { loaded.close() }
        let variable = try #require(dlsym(loaded.handle, "_Xdebug")).assumingMemoryBound(to: Int32.self)
        #expect(variable.pointee == 0)
        variable.pointee = 7
        #expect(variable.pointee == 7)
    }

    @Test("A call ends the process that makes it")
    func call() throws {
        let loaded = try Loaded("libz.so.1")
        defer { loaded.close() }
        typealias Function = @convention(c) () -> Void
        let function = unsafeBitCast(try #require(dlsym(loaded.handle, "zlibVersion")), to: Function.self)
        let child = clinux_fork()
        if child == 0 {
            signal(SIGSEGV, nil)
            function()
            _exit(0)
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        #expect(status & 0x7F == SIGSEGV)
    }

    @Test("A file that is no library, or is cut off anywhere, is refused")
    func refused() throws {
        #expect(throws: NotALibrary.self) { try StandIn(of: []) }
        #expect(throws: NotALibrary.self) { try StandIn(of: Array("#!/bin/sh\nexit 0\n".utf8)) }
        let library = try Self.file("libz.so.1")
        let needed = (0..<64).filter { (try? StandIn(of: Array(library.prefix(library.count * $0 / 64)))) == nil }
        // The tables are at the beginning of the file, the dynamic section near its end.
        #expect(needed.count > 32 && needed == Array(0..<needed.count))
    }

    @Test("A file that is damaged anywhere gives a stand-in or is refused, and nothing worse")
    func damaged() throws {
        let library = try Self.file("libz.so.1")
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var damaged = library
            for _ in 0..<4 { damaged[Int.random(in: 0..<4096, using: &random)] = .random(in: 0...255, using: &random) }
            _ = try? StandIn(of: damaged)
        }
    }
}
