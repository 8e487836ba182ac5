internal import Media

/// A child's notes on its work, for a person who asked: its last message, after the answer.
///
/// The host shows the texts and uses them for nothing else.
public struct RenderNotes: Hashable, Sendable {
    /// The notes in the order of the work.
    public var notes: [RenderNote]
    /// The steps in their order.
    public var steps: [RenderStep]

    /// Notes with their steps; empty by default.
    public init(notes: [RenderNote] = [], steps: [RenderStep] = []) {
        self.notes = notes
        self.steps = steps
    }

    /// The most items sent of each list, which keeps the message within its bound.
    public static let longestList = 24

    /// The longest text, in characters.
    public static let longestText = 200
}

/// A text about one part of the child's work.
public struct RenderNote: Hashable, Sendable {
    /// The part of the work that a note is about.
    public enum Topic: String, CaseIterable, Sendable {
        /// The file's type, and the reader that recognised it.
        case type
        /// The decoder that read the file.
        case decoder
        /// How the picture is turned and stretched, and by which tag of the file.
        case orientation
        /// The conversion from the file's colours to sRGB.
        case colour
        /// The frame or page that is shown, and why.
        case frame
        /// How the picture was reduced.
        case shrink
        /// The use of the limits.
        case limits
    }

    /// The part of the work.
    public var topic: Topic
    /// For people; made printable and bounded before it is sent.
    public var text: String

    /// A note on a topic.
    public init(_ topic: Topic, _ text: String) {
        self.topic = topic
        self.text = text
    }
}

/// One step of a child's work, and how long it took.
public struct RenderStep: Hashable, Sendable {
    /// The steps that children time.
    public enum Name: String, CaseIterable, Sendable {
        case confine, recognize, open, search, decode, draw
    }

    /// The part of the work that was timed.
    public var name: Name
    /// The time since the previous step ended.
    public var microseconds: UInt64

    /// A step that took this long.
    public init(_ name: Name, microseconds: UInt64) {
        self.name = name
        self.microseconds = microseconds
    }
}

extension RenderNotes: WireMessage {
    /// The notes as one message, cut to their bounds.
    public var bytes: [UInt8] {
        var writer = WireWriter.versioned()
        writer.write(Array(notes.prefix(Self.longestList))) { writer, note in
            writer.write(note.topic.rawValue)
            writer.write(Failure.bounded(note.text, to: Self.longestText))
        }
        writer.write(Array(steps.prefix(Self.longestList))) { writer, step in
            writer.write(step.name.rawValue)
            writer.write(step.microseconds)
        }
        return writer.bytes
    }

    /// Parses notes from a process that decoded hostile bytes: texts become printable and bounded.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = try WireReader(versioned: bytes)
        notes = try reader.list { reader throws(WireError) in
            let topic = try reader.choice(RenderNote.Topic.self)
            return RenderNote(topic, Failure.bounded(try reader.text(), to: Self.longestText))
        }
        steps = try reader.list { reader throws(WireError) in
            let name = try reader.choice(RenderStep.Name.self)
            return RenderStep(name, microseconds: try reader.integer())
        }
        guard notes.count <= Self.longestList, steps.count <= Self.longestList else { throw reader.failure("notes") }
        try reader.finish()
    }
}
