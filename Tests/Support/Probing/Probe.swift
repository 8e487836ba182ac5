internal import CLinux
internal import Linux

/// Attempts to escape from a child, as an attacker who has taken it over would make them.
package enum Probe: String, CaseIterable {
    case readPasswords, statPasswords, statByFlag, listPrograms, writeFile, openOwnMemory
    case connect, listenAbstractly, receive, keepSocket
    case execute, fork, trace, readParent, timeParent, signalParent, signalAll, ownSignals
    case openOthersFiles, takeOthersFiles, writeOthersMemory
    case mapExecutable, makeExecutable, mapBeyondLimit, raiseLimit, raiseLimitAtLowZero
    case shareMemory, growDownwards, retireMemory, moveStack, splitStack, placeMemory, memoryFile, pipe, descriptors,
        threads
    case catchTrap, blockTrap, catchFault, requeueLocks, handleFaults, mergeMemory, sendDescriptor
    case growPixels, writePixelsFile, writeSource
    case userNamespace, ring, keys

    /// The renderer of this child: read before the fork, because a child may not even ask for its parent.
    package static let renderer: Int32 = getpid()
    /// The renderer's own limit on its user's tasks; a child's limit is lower.
    package static let renderersTaskLimit: UInt = taskLimit

    static var taskLimit: UInt {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit)
        return limit.rlim_cur
    }

    /// Tries the escape; true if it succeeded. A filter may end the process instead.
    package func escapes() -> Bool {
        switch self {
        case .readPasswords: opens("/etc/passwd", O_RDONLY)
        case .statPasswords: access("/etc/passwd", F_OK) == 0
        // AT_FDCWD and AT_EMPTY_PATH, as in the children's own fstat.
        case .statByFlag: statsByFlag()
        case .listPrograms: opendir("/usr/bin") != nil
        case .writeFile: clinux_open_unnamed("/tmp") >= 0
        case .openOwnMemory: opens("/proc/self/mem", O_RDWR)
        case .connect: reachesLoopback()
        case .listenAbstractly: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0
        case .receive: receives()
        case .keepSocket: holdsAnotherSocket()
        case .execute: executes()
        case .fork: forks()
        // PTRACE_SEIZE
        case .trace: calls(SYS_ptrace, 0x4206, Int(Self.renderer))
        case .readParent: readsParent()
        // CPUCLOCK_SCHED of a process: how long it has run.
        case .timeParent: timesParent()
        case .signalParent: kill(Self.renderer, 0) == 0
        // All processes that this one may signal.
        case .signalAll: kill(-1, 0) == 0
        case .openOthersFiles: others.contains(where: opensFile)
        case .takeOthersFiles: others.contains(where: takesFile)
        case .writeOthersMemory: others.contains(where: mayWriteMemory)
        case .ownSignals: clinux_fcntl(5, F_SETOWN, Int(Self.renderer)) == 0
        case .mapExecutable: maps(4096, PROT_READ | PROT_EXEC)
        case .makeExecutable: makesExecutable()
        case .mapBeyondLimit: maps(1 << 30, PROT_READ | PROT_WRITE)
        case .raiseLimit: raisesLimit()
        case .raiseLimitAtLowZero: setsLimitAtLowZero()
        case .shareMemory: mapsMuch(4096 << 20, MAP_SHARED | MAP_ANONYMOUS)
        // MAP_GROWSDOWN
        case .growDownwards: mapsMuch(4096 << 20, MAP_PRIVATE | MAP_ANONYMOUS | 0x100)
        case .retireMemory: retiresMemory()
        case .moveStack: movesStack()
        case .splitStack: splitsStack()
        // MAP_FIXED_NOREPLACE: a page in every gibibyte needs two pages of tables.
        case .placeMemory:
            (64..<66).allSatisfy { isMapped(mmap(.init(bitPattern: $0 << 30), 4096, PROT_READ, 0x10_0022, -1, 0)) }
        case .memoryFile: clinux_memfd_create("probe") >= 0
        case .pipe: makesPipe()
        case .descriptors: (0..<100).contains { _ in clinux_fcntl(5, F_DUPFD_CLOEXEC, 0) > 99 }
        case .threads: startsManyThreads()
        case .catchTrap: catchesTrap()
        case .blockTrap: blocksTrap()
        case .catchFault: catches(SIGSEGV)
        case .requeueLocks: requeuesLocks()
        // UFFD_USER_MODE_ONLY
        case .handleFaults: calls(SYS_userfaultfd, 1)
        case .mergeMemory: mergesMemory()
        case .sendDescriptor: sendsDescriptor()
        case .growPixels: ftruncate(4, 1 << 30) == 0
        case .writePixelsFile: pwrite(4, "x", 1, 0) == 1
        case .writeSource: write(3, "x", 1) == 1
        // CLONE_NEWUSER
        case .userNamespace: calls(SYS_unshare, 0x1000_0000)
        case .ring: ringOpens()
        // KEYCTL_GET_KEYRING_ID of the session, created if there is none.
        case .keys: calls(SYS_keyctl, 0, -3, 1)
        }
    }

    private func calls(_ number: Int32, _ a: Int = 0, _ b: Int = 0, _ c: Int = 0, _ d: Int = 0) -> Bool {
        clinux_call(Int(number), a, b, c, d, 0) >= 0
    }

    private func opens(_ path: String, _ flags: Int32) -> Bool { clinux_open(path, flags, 0) >= 0 }

    /// Nothing listens on port 1: a refusal shows that the request arrived.
    private func reachesLoopback() -> Bool {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard number >= 0 else { return false }
        // struct sockaddr_in: family, port 1, 127.0.0.1.
        let address: [UInt8] = [2, 0, 0, 1, 127, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
        let result = address.withUnsafeBytes {
            CLinux.connect(number, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), 16)
        }
        return result == 0 || clinux_errno() == ECONNREFUSED
    }

    private func receives() -> Bool {
        var byte: UInt8 = 0
        return recv(5, &byte, 1, Int32(MSG_DONTWAIT)) >= 0 || clinux_errno() == EAGAIN
    }

    /// The control socket, or another task's.
    private func holdsAnotherSocket() -> Bool {
        (0..<64).contains { number in
            var status = stat()
            return number != 5 && fstat(Int32(number), &status) == 0
                && status.st_mode & UInt32(S_IFMT) == UInt32(S_IFSOCK)
        }
    }

    /// If it works, the shell exits with a status that the test knows.
    private func executes() -> Bool {
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup("exit 42"), nil]
        execv("/bin/sh", &arguments)
        return false
    }

    private func forks() -> Bool {
        let child = clinux_fork()
        if child == 0 { _exit(0) }
        return child > 0
    }

    /// The renderer, and the children of other tasks, forked shortly before or after this one.
    private var others: [pid_t] {
        [Self.renderer] + (getpid() - 64...getpid() + 64).filter { $0 > 1 && $0 != getpid() }
    }

    /// Another task's source, pixels or reply, or any other open file of the process, by its name in `/proc`.
    private func opensFile(of process: pid_t) -> Bool {
        (0..<8).contains { opens("/proc/\(process)/fd/\($0)", O_RDONLY) }
    }

    /// The same with `pidfd_getfd`, which needs no file system.
    private func takesFile(of process: pid_t) -> Bool {
        let handle = clinux_pidfd_open(process)
        return handle >= 0 && (0..<8).contains { calls(Self.pidfdGetfd, Int(handle), $0) }
    }

    /// `process_vm_writev` to an unmapped address, which changes nothing: EFAULT shows that writing is allowed.
    private func mayWriteMemory(of process: pid_t) -> Bool {
        copiesByte(SYS_process_vm_writev, of: process, at: UnsafeMutableRawPointer(bitPattern: 8)!)
            || clinux_errno() == EFAULT
    }

    /// One byte at an address that this process also has: the renderer is what it was forked from.
    private func readsParent() -> Bool {
        copiesByte(
            SYS_process_vm_readv, of: Self.renderer, at: UnsafeMutableRawPointer(mutating: CommandLine.unsafeArgv[0])!)
    }

    private func timesParent() -> Bool {
        var time = timespec()
        return clock_gettime(~Self.renderer << 3 | 2, &time) == 0
    }

    private func copiesByte(_ call: Int32, of process: pid_t, at place: UnsafeMutableRawPointer) -> Bool {
        var byte: UInt8 = 0
        return withUnsafeMutableBytes(of: &byte) { byte in
            var part = iovec(iov_base: byte.baseAddress, iov_len: 1)
            var there = iovec(iov_base: place, iov_len: 1)
            return withUnsafePointer(to: &part) { part in
                withUnsafePointer(to: &there) { there in
                    calls(call, Int(process), Int(bitPattern: part), 1, Int(bitPattern: there), 1)
                }
            }
        }
    }

    /// Without limits there is none to raise, and the call succeeds.
    private func raisesLimit() -> Bool {
        var limit = rlimit(rlim_cur: rlim_t.max, rlim_max: rlim_t.max)
        return setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0
    }

    private func calls(_ number: Int32, _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int) -> Bool {
        clinux_call(Int(number), a, b, c, d, e) >= 0
    }

    private func maps(_ byteCount: Int, _ protection: Int32) -> Bool {
        Int(bitPattern: mmap(nil, byteCount, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) != -1
    }

    private func makesExecutable() -> Bool {
        let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0
    }

    // Numbers that are newer than the headers imported by Swift.
    private static let ioUringSetup: Int32 = 425
    private static let pidfdGetfd: Int32 = 438

    /// io_uring makes file and network calls that no filter sees.
    private func ringOpens() -> Bool {
        let parameters = [UInt8](repeating: 0, count: 120)
        return parameters.withUnsafeBytes { calls(Self.ioUringSetup, 1, Int(bitPattern: $0.baseAddress)) }
    }
}
