internal import CLinux
internal import CSeccomp
internal import Synchronization

/// Calls in the order of arrival: written by one thread without any allocation, read when the work is done.
final class CallLog: Sendable {
    private static let capacity = 256
    private static let pathByteCount = 128

    // Safe as Sendable: entries below `count` never change, and only the recording thread writes above.
    nonisolated(unsafe) private let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    nonisolated(unsafe) private let paths = UnsafeMutablePointer<CChar>.allocate(capacity: capacity * pathByteCount)
    private let count = Atomic(0)

    private struct Entry {
        let number: Int32
        let arguments: (UInt64, UInt64, UInt64)
        let verdict: CallVerdict
    }

    /// Records a call unless it is already recorded, or there is no space: the first ones say enough.
    func note(_ call: seccomp_data, _ verdict: CallVerdict) {
        let index = count.load(ordering: .relaxed)
        guard index < Self.capacity else { return }
        if case .refused = verdict {
            for known in 0..<index where entries[known].number == call.nr && entries[known].verdict == verdict {
                return
            }
        }
        (entries + index).initialize(
            to: Entry(number: call.nr, arguments: (call.args.0, call.args.1, call.args.2), verdict: verdict))
        let path = paths + index * Self.pathByteCount
        path.pointee = 0
        if verdict == .goesOn, let from = UnsafePointer<CChar>(bitPattern: UInt(call.args.1)) {
            // The path may change as soon as the call continues.
            strncpy(path, from, Self.pathByteCount - 1)
            path[Self.pathByteCount - 1] = 0
        }
        count.store(index + 1, ordering: .releasing)
    }

    /// Each finding once and at most four of each kind, as `CallRecorder.record` says.
    var text: String {
        var forbidden: [String] = []
        var opened: [String] = []
        var refused: [String] = []
        for index in 0..<count.load(ordering: .acquiring) {
            switch entries[index].verdict {
            case .goesOn: Self.add(String(cString: paths + index * Self.pathByteCount), to: &opened)
            case .refused: Self.add(Self.name(of: entries[index].number), to: &refused)
            case .forbidden: Self.add(description(of: entries[index]), to: &forbidden)
            }
        }
        return [("forbidden", forbidden), ("opened", opened), ("refused", refused)]
            .filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: " "))" }.joined(separator: ";")
    }

    private static func add(_ text: String, to list: inout [String]) {
        if list.count < 4, !list.contains(text) { list.append(text) }
    }

    private func description(of entry: Entry) -> String {
        let (a, b, c) = entry.arguments
        return "\(Self.name(of: entry.number))(\([a, b, c].map { String($0, radix: 16) }.joined(separator: ",")),…)"
    }

    private static func name(of number: Int32) -> String {
        guard let name = seccomp_syscall_resolve_num_arch(seccomp_arch_native(), number) else { return "\(number)" }
        defer { free(name) }
        return String(cString: name)
    }
}
