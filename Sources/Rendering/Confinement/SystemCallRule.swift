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
        /// The call fails with this error number and the library goes on without it.
        case fail(Int32)
    }

    /// Bits of an argument: `argument & mask == value`.
    package struct Condition: Hashable {
        package let argument: UInt32
        package let mask: UInt64
        package let value: UInt64
    }

    package static func allow(_ call: String, where conditions: Condition..., because reason: String) -> SystemCallRule
    {
        SystemCallRule(call: call, action: .allow, conditions: conditions, reason: reason)
    }

    static func fail(
        _ call: String, with number: Int32, where conditions: Condition..., because reason: String
    ) -> SystemCallRule {
        SystemCallRule(call: call, action: .fail(number), conditions: conditions, reason: reason)
    }
}

extension SystemCallRule.Condition {
    /// Of the bits in `mask`, the argument has just these.
    static func `is`(_ argument: UInt32, _ mask: Int32, _ bits: Int32) -> Self {
        Self(argument: argument, mask: UInt64(UInt32(bitPattern: mask)), value: UInt64(UInt32(bitPattern: bits)))
    }

    /// The argument lacks all of these bits.
    static func lacks(_ argument: UInt32, _ bits: Int32) -> Self { .is(argument, bits, 0) }

    /// The argument has all of these bits.
    static func has(_ argument: UInt32, _ bits: Int32) -> Self { .is(argument, bits, bits) }

    /// The argument, taken as an `int`, is this number.
    static func equals(_ argument: UInt32, _ number: Int32) -> Self { .is(argument, -1, number) }

    /// The argument is the child's own process id, which is known only after the fork: a number that no process has
    /// (Linux ends at 2²²) stands for it until then.
    static func isOwnProcess(_ argument: UInt32) -> Self { equals(argument, ownProcessPlaceholder) }

    package static var ownProcessPlaceholder: Int32 { 0x5E1F_0D1D }
}
