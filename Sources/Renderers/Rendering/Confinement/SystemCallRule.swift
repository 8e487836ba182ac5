/// One line of a class's list: a system call, the filter's action on it, and the reason.
package struct SystemCallRule {
    /// The kernel's name of the call.
    package let call: String
    /// The filter's action on the call.
    package let action: Action
    /// The conditions on the arguments; the rule holds only if all are met.
    package let conditions: [Condition]
    /// Why the rule is there.
    package let reason: String

    /// The filter's actions.
    package enum Action: Hashable {
        case allow
        /// The process ends at once, before its own handler can run; only the kernel's log names the call.
        case kill
        /// The call fails with this error number, and the library continues without it.
        case fail(Int32)
    }

    /// A comparison that an argument must meet.
    package struct Condition: Hashable {
        /// The argument's place, from 0.
        package let argument: UInt32
        /// How the argument is compared.
        package let comparison: Comparison

        /// The comparisons that seccomp can make.
        package enum Comparison: Hashable {
            /// `argument & mask == value`.
            case bits(mask: UInt64, value: UInt64)
            /// `argument < limit`, as 64 unsigned bits.
            case below(UInt64)
        }
    }

    /// A rule that lets a call through.
    package static func allow(_ call: String, where conditions: Condition..., because reason: String) -> SystemCallRule
    {
        SystemCallRule(call: call, action: .allow, conditions: conditions, reason: reason)
    }

    static func kill(_ call: String, because reason: String) -> SystemCallRule {
        SystemCallRule(call: call, action: .kill, conditions: [], reason: reason)
    }

    static func fail(
        _ call: String, with number: Int32, where conditions: Condition..., because reason: String
    ) -> SystemCallRule {
        SystemCallRule(call: call, action: .fail(number), conditions: conditions, reason: reason)
    }
}

// Arguments are registers of 64 bits. For an `int` the kernel uses the lower half, and so must a rule: the caller can
// choose the upper half. For pointers and sizes the kernel uses all bits.
extension SystemCallRule.Condition {
    /// The argument, as an `int`, has exactly these of the bits in `mask`.
    static func `is`(_ argument: UInt32, _ mask: Int32, _ bits: Int32) -> Self {
        Self(
            argument: argument,
            comparison: .bits(mask: UInt64(UInt32(bitPattern: mask)), value: UInt64(UInt32(bitPattern: bits))))
    }

    /// The argument, as an `int`, lacks all of these bits.
    static func lacks(_ argument: UInt32, _ bits: Int32) -> Self { .is(argument, bits, 0) }

    /// The argument, as an `int`, has all of these bits.
    static func has(_ argument: UInt32, _ bits: Int32) -> Self { .is(argument, bits, bits) }

    /// The argument, as an `int`, is this number.
    static func equals(_ argument: UInt32, _ number: Int32) -> Self { .is(argument, -1, number) }

    /// The argument is the null pointer.
    static func isNull(_ argument: UInt32) -> Self {
        Self(argument: argument, comparison: .bits(mask: .max, value: 0))
    }

    /// The argument is an address below this one.
    static func isBelow(_ argument: UInt32, _ address: UInt64) -> Self {
        Self(argument: argument, comparison: .below(address))
    }

    /// The argument is the child's own process id, which is known only after the fork. Until then a placeholder stands
    /// for it.
    static func isOwnProcess(_ argument: UInt32) -> Self { equals(argument, ownProcessPlaceholder) }

    /// A number that no process has: Linux's process ids end at 2²².
    package static var ownProcessPlaceholder: Int32 { 0x5E1F_0D1D }

    /// Whether an argument of a child meets the condition.
    ///
    /// - Parameter process: the child's process id.
    package func isMet(by value: UInt64, in process: Int32) -> Bool {
        switch comparison {
        case .below(let limit): value < limit
        case .bits(let mask, let bits):
            value & mask
                == (bits == UInt64(UInt32(bitPattern: Self.ownProcessPlaceholder))
                    ? UInt64(UInt32(bitPattern: process)) : bits)
        }
    }
}
