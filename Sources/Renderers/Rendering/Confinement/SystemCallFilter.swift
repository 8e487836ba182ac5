internal import CLinux
internal import CSeccomp
package import Linux

/// A seccomp program, which libseccomp builds before the fork and each child loads.
package struct SystemCallFilter {
    /// Instructions of classic BPF, laid out as `struct sock_filter`: code, two jumps, and a constant in the upper
    /// half.
    private let instructions: [UInt64]

    /// The length of the program; the kernel accepts at most 4,096.
    package var instructionCount: Int { instructions.count }

    /// Compiles the rules. The filter traps a call without a rule; a call of another architecture (int 0x80, x32) kills
    /// the process.
    ///
    /// - Throws: libseccomp's error number, with the name of its function.
    package init(_ rules: [SystemCallRule]) throws(SystemError) {
        guard let context = seccomp_init(UInt32(SCMP_ACT_TRAP)) else {
            throw SystemError("seccomp_init", number: ENOMEM)
        }
        defer { seccomp_release(context) }
        try Self.check("seccomp_attr_set", seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS))
        // A binary tree of comparisons instead of a chain, which is shorter for most calls.
        try Self.check("seccomp_attr_set", seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2))
        for rule in rules { try Self.add(rule, to: context) }
        instructions = try Self.export(context)
    }

    /// Irrevocably forbids this process every call that no rule allows.
    func load() throws(SystemError) {
        let process = UInt64(UInt32(bitPattern: getpid()))
        let placeholder = UInt64(UInt32(bitPattern: SystemCallRule.Condition.ownProcessPlaceholder))
        let program = instructions.map { $0 >> 32 == placeholder ? $0 & 0xFFFF_FFFF | process << 32 : $0 }
        try checking("prctl(PR_SET_SECCOMP)") { clinux_load_call_filter(program, UInt16(program.count)) }
    }

    private static func add(_ rule: SystemCallRule, to context: scmp_filter_ctx) throws(SystemError) {
        let number = seccomp_syscall_resolve_name(rule.call)
        guard number >= 0 else { throw SystemError("seccomp_syscall_resolve_name(\(rule.call))", number: ENOSYS) }
        let comparisons = rule.conditions.map { condition in
            switch condition.comparison {
            case .bits(let mask, let value):
                scmp_arg_cmp(arg: condition.argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
            case .below(let limit):
                scmp_arg_cmp(arg: condition.argument, op: SCMP_CMP_LT, datum_a: limit, datum_b: 0)
            }
        }
        try check(
            "seccomp_rule_add(\(rule.call))",
            seccomp_rule_add_exact_array(context, rule.action.code, number, UInt32(comparisons.count), comparisons))
    }

    private static func export(_ context: scmp_filter_ctx) throws(SystemError) -> [UInt64] {
        let file = Descriptor(owning: try checking("memfd_create") { clinux_memfd_create("filter") })
        try check("seccomp_export_bpf", seccomp_export_bpf(context, file.number))
        let bytes = try file.bytes(at: 0, count: Int(try file.status().byteCount))
        return bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 8).map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
        }
    }

    /// libseccomp returns a negative error number.
    private static func check(_ call: String, _ result: Int32) throws(SystemError) {
        if result < 0 { throw SystemError(call, number: -result) }
    }
}

extension SystemCallRule.Action {
    /// libseccomp's action (`SCMP_ACT_ERRNO` is a macro with an argument).
    fileprivate var code: UInt32 {
        switch self {
        case .allow: UInt32(SCMP_ACT_ALLOW)
        case .kill: SCMP_ACT_KILL_PROCESS
        case .fail(let number): 0x0005_0000 | UInt32(number)
        }
    }
}
