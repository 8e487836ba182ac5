internal import Media

/// A renderer's message to its host on the control socket.
public enum RendererReport: Hashable, Sendable {
    /// The renderer accepts tasks. `build` names its libraries with their versions, one text each; `notes` the layers
    /// of its confinement that this kernel lacks.
    case ready(build: [String], notes: [String])
    /// A child was forked for the task; its pidfd comes with the message.
    case started(taskID: UInt64)
    /// The task's child was reaped.
    case ended(taskID: UInt64, ChildEnd)
    /// No child could be made for the task; task 0: the renderer itself cannot serve.
    case refused(taskID: UInt64, reason: String)
}

/// How a child ended, and its use of processors and memory.
public struct ChildEnd: Hashable, Sendable {
    /// How a process ended.
    public enum Cause: Hashable, Sendable {
        case exited(status: Int32)
        case signalled(Int32)
        /// The name of a system call that its sandbox forbids.
        case forbiddenCall(String)
    }

    /// On its own, by a signal, or for a forbidden call.
    public var cause: Cause
    /// User and system time in microseconds.
    public var processorTime: UInt64
    /// The largest resident size, in bytes.
    public var peakByteCount: UInt64

    /// The end as reported by `wait4(2)`: the signal that ended the process, or 0 and its status.
    public init(signal: Int32, status: Int32, processorTime: UInt64, peakByteCount: UInt64) {
        self.init(
            cause: signal == 0 ? .exited(status: status) : .signalled(signal), processorTime: processorTime,
            peakByteCount: peakByteCount)
    }

    /// An end whose cause is known.
    public init(cause: Cause, processorTime: UInt64, peakByteCount: UInt64) {
        self.cause = cause
        self.processorTime = processorTime
        self.peakByteCount = peakByteCount
    }
}

extension RendererReport: WireMessage {
    /// The report as one message.
    public var bytes: [UInt8] {
        var writer = WireWriter.versioned()
        switch self {
        case .ready(let build, let notes):
            writer.write(UInt8(0))
            writer.write(build) { $0.write($1) }
            writer.write(notes) { $0.write($1) }
        case .started(let taskID):
            writer.write(UInt8(1))
            writer.write(taskID)
        case .ended(let taskID, let end):
            writer.write(UInt8(2))
            writer.write(taskID)
            switch end.cause {
            case .exited(let status):
                writer.write(UInt8(0))
                writer.write(status)
            case .signalled(let signal):
                writer.write(UInt8(1))
                writer.write(signal)
            case .forbiddenCall(let call):
                writer.write(UInt8(2))
                writer.write(call)
            }
            writer.write(end.processorTime)
            writer.write(end.peakByteCount)
        case .refused(let taskID, let reason):
            writer.write(UInt8(3))
            writer.write(taskID)
            writer.write(reason)
        }
        return writer.bytes
    }

    /// Parses a report; texts are bounded.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = try WireReader(versioned: bytes)
        switch try reader.integer(UInt8.self) {
        case 0:
            let build = try reader.list { reader throws(WireError) in Failure.bounded(try reader.text()) }
            let notes = try reader.list { reader throws(WireError) in Failure.bounded(try reader.text()) }
            self = .ready(build: build, notes: notes)
        case 1: self = .started(taskID: try reader.integer())
        case 2: self = .ended(taskID: try reader.integer(), try reader.childEnd())
        case 3: self = .refused(taskID: try reader.integer(), reason: try reader.text())
        default: throw reader.failure("report")
        }
        try reader.finish()
    }
}

extension WireReader {
    fileprivate mutating func childEnd() throws(WireError) -> ChildEnd {
        ChildEnd(cause: try cause(), processorTime: try integer(), peakByteCount: try integer())
    }

    private mutating func cause() throws(WireError) -> ChildEnd.Cause {
        switch try integer(UInt8.self) {
        case 0: .exited(status: try integer())
        case 1: .signalled(try integer())
        case 2: .forbiddenCall(try text())
        default: throw failure("cause")
        }
    }
}
