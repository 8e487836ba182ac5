internal import CLinux
internal import CSeccomp
internal import Linux

/// The number of the forbidden system call that ended a child, in a page that the child and the renderer share.
///
/// A compromised child may write anything there. The renderer reads it only as the number of a call, and only if SIGSYS
/// ended the child.
final class ForbiddenCallNote {
    private let page: UnsafeMutablePointer<Int32>
    private static let byteCount = 4096

    init() throws(SystemError) {
        let address = mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        guard let address, Int(bitPattern: address) != -1 else { throw SystemError.last("mmap") }
        page = address.bindMemory(to: Int32.self, capacity: 1)
        page.pointee = -1
    }

    deinit { munmap(page, Self.byteCount) }

    /// In the child: installs the handler that notes the call. The page stays mapped until the child exits.
    func install() throws(SystemError) {
        try checking("sigaction") { clinux_note_forbidden_calls(page) }
    }

    /// In the renderer, after the child's exit: the call's name, or its number if the kernel is newer than libseccomp.
    var call: String? {
        let number = page.pointee
        guard number >= 0 else { return nil }
        guard let name = seccomp_syscall_resolve_num_arch(seccomp_arch_native(), number) else { return "\(number)" }
        defer { free(name) }
        return String(cString: name)
    }
}
