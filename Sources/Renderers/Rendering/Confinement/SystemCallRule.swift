/// One line of a class's list: a system call, what becomes of it, and why.
package struct SystemCallRule {
    /// The kernel's name of the call.
    package let call: String
    package let action: Action
    /// Where there are conditions, the rule holds only if all are met.
    package let conditions: [Condition]
    package let reason: String

    package enum Action: Hashable {
        case allow
        /// The process ends at once, before any handler of its own could run; nobody learns the call but the kernel's log.
        case kill
        /// The call fails with this error number and the library goes on without it.
        case fail(Int32)
    }

    /// What must hold of an argument.
    package struct Condition: Hashable {
        package let argument: UInt32
        package let comparison: Comparison

        package enum Comparison: Hashable {
            /// `argument & mask == value`.
            case bits(mask: UInt64, value: UInt64)
            /// `argument < limit`, all 64 bits without a sign.
            case below(UInt64)
        }
    }

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

// Arguments are registers of 64 bits. Of an `int` the kernel takes the lower half, and so must a rule: the upper half is the
// caller's to choose. Of pointers and sizes it takes all.
extension SystemCallRule.Condition {
    /// Of the bits in `mask`, the argument, taken as an `int`, has just these.
    static func `is`(_ argument: UInt32, _ mask: Int32, _ bits: Int32) -> Self {
        Self(
            argument: argument,
            comparison: .bits(mask: UInt64(UInt32(bitPattern: mask)), value: UInt64(UInt32(bitPattern: bits))))
    }

    /// The argument, taken as an `int`, lacks all of these bits.
    static func lacks(_ argument: UInt32, _ bits: Int32) -> Self { .is(argument, bits, 0) }

    /// The argument, taken as an `int`, has all of these bits.
    static func has(_ argument: UInt32, _ bits: Int32) -> Self { .is(argument, bits, bits) }

    /// The argument, taken as an `int`, is this number.
    static func equals(_ argument: UInt32, _ number: Int32) -> Self { .is(argument, -1, number) }

    /// The argument is the null pointer.
    static func isNull(_ argument: UInt32) -> Self {
        Self(argument: argument, comparison: .bits(mask: .max, value: 0))
    }

    /// The argument is an address below this one.
    static func isBelow(_ argument: UInt32, _ address: UInt64) -> Self {
        Self(argument: argument, comparison: .below(address))
    }

    /// The argument is the child's own process id, which is known only after the fork: a number that no process has
    /// (Linux ends at 2²²) stands for it until then.
    static func isOwnProcess(_ argument: UInt32) -> Self { equals(argument, ownProcessPlaceholder) }

    package static var ownProcessPlaceholder: Int32 { 0x5E1F_0D1D }

    /// Whether an argument of a child meets it.
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
