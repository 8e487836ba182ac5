internal import CLinux

/// The error of a system call.
public struct SystemError: Error, Hashable, Sendable {
    /// The name of the call, with its argument if that helps.
    public let call: String
    /// The error number, `errno`.
    public let number: Int32

    /// An error of a call with its number.
    public init(_ call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    /// The error of the call that has just failed on this thread.
    public static func last(_ call: String) -> SystemError { SystemError(call, number: clinux_errno()) }

    /// `strerror`'s description of the number.
    public var reason: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            strerror_r(number, buffer.baseAddress!, buffer.count) == 0
                ? String(cString: buffer.baseAddress!) : "error \(number)"
        }
    }
}

extension SystemError: CustomStringConvertible {
    /// Call and reason, as in `open: No such file or directory`.
    public var description: String { "\(call): \(reason)" }
}

/// Repeats a call while signals interrupt it (`EINTR`), and throws its error.
@discardableResult
package func checking<Value: BinaryInteger>(
    _ call: String, _ body: () -> Value
) throws(SystemError) -> Value {
    while true {
        let value = body()
        if value >= 0 { return value }
        let number = clinux_errno()
        if number != EINTR { throw SystemError(call, number: number) }
    }
}
