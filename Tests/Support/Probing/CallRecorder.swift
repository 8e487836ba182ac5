internal import CLinux
internal import CSeccomp
internal import Linux
package import Media
internal import Rendering
internal import Synchronization

/// Names every system call of a child that its class's list does not allow, instead of ending the child as the real
/// filter does.
///
/// The kernel asks a thread of the same process, which no filter restricts, what to do about each such call
/// (`seccomp_unotify(2)`). A call that the list refuses gets its error number. A call that is not on the list fails
/// with EPERM, so that the calls after it are seen, too. `openat` continues if the list has it, and its path is
/// checked.
///
/// That thread must not allocate: the call may come from within `malloc`, whose lock the caller then holds.
package final class CallRecorder: Sendable {
    private let list: CallList
    private let log = CallLog()
    private let isReady = Promise<Bool>()
    /// The descriptor through which the kernel asks; -1 until there is one.
    private let listener = Atomic<Int32>(-1)

    /// Starts to record the calling thread and those that it starts.
    package init(of rendererClass: RendererClass) throws(Failure) {
        list = CallList(SystemCallRule.all(for: rendererClass), folders: rendererClass.readableFolders)
        do throws(SystemError) {
            _ = try WorkerThread(name: "recorder") { [self] in answer() }
            // The thread's last allocation happens before anything can hold a lock against it.
            guard isReady.wait(until: Time.monotonic + .seconds(5)) == true else {
                throw SystemError("seccomp_notify_alloc", number: ENOMEM)
            }
            listener.store(try loadFilter(), ordering: .releasing)
        } catch {
            throw Failure(.unavailable, detail: "recording calls: \(error)")
        }
    }

    /// `forbidden CALL…`, `opened PATH…` and `refused CALL…`, separated by semicolons; empty if there were none.
    package var record: String { log.text }

    /// Allows what the list allows without checking, and makes the kernel ask about everything else.
    ///
    /// - Returns: the descriptor through which the kernel asks.
    private func loadFilter() throws(SystemError) -> Int32 {
        guard let context = seccomp_init(UInt32(SCMP_ACT_NOTIFY)) else {
            throw SystemError("seccomp_init", number: ENOMEM)
        }
        for line in list.lines where line.verdict == .goesOn && line.number != CallList.openat {
            let comparisons = line.conditions.map(Self.comparison)
            try Self.check(
                "seccomp_rule_add(\(line.number))",
                seccomp_rule_add_exact_array(
                    context, UInt32(SCMP_ACT_ALLOW), line.number, UInt32(comparisons.count), comparisons))
        }
        try Self.check("seccomp_load", seccomp_load(context))
        return seccomp_notify_fd(context)
    }

    private static func comparison(_ condition: SystemCallRule.Condition) -> scmp_arg_cmp {
        switch condition.comparison {
        case .below(let limit): scmp_arg_cmp(arg: condition.argument, op: SCMP_CMP_LT, datum_a: limit, datum_b: 0)
        case .bits(let mask, let value):
            scmp_arg_cmp(
                arg: condition.argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask,
                datum_b: value == UInt64(UInt32(bitPattern: SystemCallRule.Condition.ownProcessPlaceholder))
                    ? UInt64(getpid()) : value)
        }
    }

    private static func check(_ call: String, _ result: Int32) throws(SystemError) {
        if result < 0 { throw SystemError(call, number: -result) }
    }

    /// The recording thread; it ends with the process.
    private func answer() {
        var request: UnsafeMutablePointer<seccomp_notif>?
        var response: UnsafeMutablePointer<seccomp_notif_resp>?
        guard seccomp_notify_alloc(&request, &response) == 0, let request, let response else {
            isReady.fulfil(false)
            return
        }
        isReady.fulfil(true)
        while listener.load(ordering: .acquiring) < 0 { usleep(50) }
        let listener = listener.load(ordering: .relaxed)
        while true {
            // The kernel requires it to be zeroed.
            request.pointee = seccomp_notif()
            guard seccomp_notify_receive(listener, request) == 0 else { continue }
            let verdict = list.verdict(on: request.pointee.data)
            if verdict != .goesOn || list.opensOutside(request.pointee.data) {
                log.note(request.pointee.data, verdict)
            }
            response.pointee = seccomp_notif_resp(
                id: request.pointee.id, val: 0, error: -(verdict.errorNumber ?? 0),
                flags: verdict == .goesOn ? Self.goOn : 0)
            // A thread that is gone by now needs no answer.
            _ = seccomp_notify_respond(listener, response)
        }
    }

    /// `SECCOMP_USER_NOTIF_FLAG_CONTINUE` (a macro with a cast).
    private static let goOn: UInt32 = 1
}
