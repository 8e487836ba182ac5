internal import CLinux
internal import Linux

// Memory and threads that limits may not count, and handlers that hide how a child would end.
extension Probe {
    func isMapped(_ address: UnsafeMutableRawPointer?) -> Bool { Int(bitPattern: address) != -1 }

    /// The same amount in pieces, none of them touched, so the machine need not have it.
    func mapsMuch(_ byteCount: Int, _ flags: Int32) -> Bool {
        let piece = 64 << 20
        return (0..<byteCount / piece).allSatisfy { _ in
            isMapped(mmap(nil, piece, PROT_READ | PROT_WRITE, flags | Int32(MAP_NORESERVE), -1, 0))
        }
    }

    /// `RLIMIT_DATA` no longer counts memory that was made read-only, though it is still there.
    func retiresMemory() -> Bool {
        let piece = 64 << 20
        return (0..<64).allSatisfy { _ in
            let memory = mmap(nil, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            return isMapped(memory) && mprotect(memory, piece, PROT_READ) == 0
        }
    }

    /// A page of the stack keeps its kind when it is moved and enlarged, and `RLIMIT_DATA` counts no stacks.
    func movesStack() -> Bool {
        var local = 0
        return withUnsafeMutablePointer(to: &local) { local in
            // Below everything in use; written to, so that the stack extends to there.
            let address = (Int(bitPattern: local) & ~4095) - (64 << 10)
            UnsafeMutablePointer<Int>(bitPattern: address)!.pointee = 1
            // MREMAP_MAYMOVE
            return clinux_call(Int(SYS_mremap), address, 4096, 1 << 30, 1, 0) != -1
        }
    }

    /// Each piece of a stack may become as large as the whole.
    func splitsStack() -> Bool {
        var local = 0
        return withUnsafeMutablePointer(to: &local) { local in
            var bottom = Int(bitPattern: local) & ~4095
            return (0..<20).allSatisfy { _ in
                bottom -= 7 << 20
                UnsafeMutablePointer<Int>(bitPattern: bottom)!.pointee = 1
                return munmap(UnsafeMutableRawPointer(bitPattern: bottom + 4096), 4096) == 0
            }
        }
    }

    func makesPipe() -> Bool {
        var ends: [Int32] = [-1, -1]
        return CLinux.pipe(&ends) == 0
    }

    /// More threads than a child's limit on its user's tasks allows, whatever other programs of the user do meanwhile;
    /// 4,000 without such a limit.
    ///
    /// Each takes some 30 KB of the kernel's memory; their stacks are small.
    func startsManyThreads() -> Bool {
        let limit = Self.taskLimit
        let count = limit < Self.renderersTaskLimit ? Int(limit) + 1 : 4000
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, 16 << 10)
        return (0..<count).allSatisfy { _ in
            var thread = pthread_t()
            return pthread_create(&thread, &attributes, { _ in while true { sleep(1000) } }, nil) == 0
        }
    }

    /// A handler instead of the note's: the call that the filter stops would have no consequence.
    func catchesTrap() -> Bool {
        catches(SIGSYS) && callsForbidden()
    }

    func catches(_ signal: Int32) -> Bool {
        var action = sigaction()
        action.__sigaction_handler = .init(sa_handler: { _ in })
        return sigaction(signal, &action, nil) == 0
    }

    func blocksTrap() -> Bool {
        var set = sigset_t()
        sigfillset(&set)
        return sigprocmask(SIG_BLOCK, &set, nil) == 0 && callsForbidden()
    }

    /// True if the process survives it.
    private func callsForbidden() -> Bool {
        _ = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        return true
    }

    /// Whether the kernel compares before it requeues: EAGAIN shows that it has compared.
    func requeuesLocks() -> Bool {
        var words: [UInt32] = [1, 2]
        return words.withUnsafeMutableBytes { words in
            let first = Int(bitPattern: words.baseAddress)
            // FUTEX_CMP_REQUEUE_PI, one to wake, none to move, and a value other than the current one.
            let result = clinux_futex(first, 12, 1, 0, first + 4, 7)
            return result >= 0 || clinux_errno() == EAGAIN
        }
    }

    /// MADV_MERGEABLE: the time of a write reveals whether another process has the same page.
    func mergesMemory() -> Bool {
        let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return madvise(memory, 4096, 12) == 0
    }

    /// EBADF shows that the kernel would have taken a descriptor along.
    func sendsDescriptor() -> Bool {
        var byte: UInt8 = 0
        return clinux_send(5, &byte, 0, [999], 1, Int32(MSG_DONTWAIT)) >= 0 || clinux_errno() == EBADF
    }

    func statsByFlag() -> Bool {
        var status = stat()
        return withUnsafeMutablePointer(to: &status) { status in
            "/etc/passwd".withCString {
                clinux_call(Int(SYS_newfstatat), -100, Int(bitPattern: $0), Int(bitPattern: status), 0x1000, 0) == 0
            }
        }
    }

    /// A limit set through a pointer whose lower half is zero, so that a filter of 32 bits sees none.
    func setsLimitAtLowZero() -> Bool {
        for gibibytes in stride(from: 4, to: 4096, by: 4) {
            let place = mmap(
                UnsafeMutableRawPointer(bitPattern: gibibytes << 30), 4096, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let place, Int(bitPattern: place) == gibibytes << 30 else { continue }
            place.storeBytes(of: rlimit(rlim_cur: 0, rlim_max: 0), as: rlimit.self)
            // RLIMIT_CORE
            return clinux_call(Int(SYS_prlimit64), 0, 4, Int(bitPattern: place), 0, 0) == 0
        }
        return false
    }
}
