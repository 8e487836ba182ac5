internal import CLinux
internal import CSeccomp
internal import Rendering

/// What a list does with a call.
enum CallVerdict: Equatable {
    case goesOn
    /// A line of the list makes it fail with this error number.
    case refused(Int32)
    /// No line contains it: the real filter ends the child.
    case forbidden

    var errorNumber: Int32? {
        switch self {
        case .goesOn: nil
        case .refused(let number): number
        case .forbidden: EPERM
        }
    }
}

/// A class's list of system calls, by number: looked up without any allocation.
struct CallList: Sendable {
    struct Line: Sendable {
        let number: Int32
        let conditions: [SystemCallRule.Condition]
        let verdict: CallVerdict
    }

    static let openat: Int32 = seccomp_syscall_resolve_name("openat")

    let lines: [Line]
    private let process = getpid()
    private let folders: [[UInt8]]

    /// - Parameter folders: the folders in which files may be opened.
    init(_ rules: [SystemCallRule], folders: [String]) {
        lines = rules.map(Line.init)
        self.folders = folders.map { Array($0.utf8) }
    }

    func verdict(on call: seccomp_data) -> CallVerdict {
        withUnsafeBytes(of: call.args) { bytes in
            let arguments = bytes.assumingMemoryBound(to: UInt64.self)
            for line in lines where line.number == call.nr {
                var isMet = true
                for condition in line.conditions {
                    isMet = isMet && condition.isMet(by: arguments[Int(condition.argument)], in: process)
                }
                if isMet { return line.verdict }
            }
            return .forbidden
        }
    }

    /// Whether the call opens a path that is not below one of the folders. The path is in this very process.
    func opensOutside(_ call: seccomp_data) -> Bool {
        guard call.nr == Self.openat, let path = UnsafePointer<UInt8>(bitPattern: UInt(call.args.1)) else {
            return false
        }
        for folder in folders {
            var index = 0
            while index < folder.count, path[index] == folder[index] { index += 1 }
            if index == folder.count, path[index] == 0 || path[index] == UInt8(ascii: "/") {
                return hasParentStep(path)
            }
        }
        return true
    }

    private func hasParentStep(_ path: UnsafePointer<UInt8>) -> Bool {
        let point = UInt8(ascii: ".")
        var index = 0
        while path[index] != 0 {
            if path[index] == point, path[index + 1] == point { return true }
            index += 1
        }
        return false
    }
}

extension CallList.Line {
    fileprivate init(_ rule: SystemCallRule) {
        number = seccomp_syscall_resolve_name(rule.call)
        conditions = rule.conditions
        verdict =
            switch rule.action {
            case .allow: .goesOn
            case .fail(let number): .refused(number)
            case .kill: .forbidden
            }
    }
}
