internal import Media

/// What a child did, for a person who asked for it: its last message, behind the answer.
///
/// The host shows the texts and uses them for nothing else.
public struct RenderNotes: Hashable, Sendable {
    public var notes: [RenderNote]
    public var steps: [RenderStep]

    public init(notes: [RenderNote] = [], steps: [RenderStep] = []) {
        self.notes = notes
        self.steps = steps
    }

    /// Of each list no more are sent, so that the message keeps its bound.
    public static let longestList = 24

    /// No text is longer, in characters.
    public static let longestText = 200
}

/// One thing that a child did or found.
public struct RenderNote: Hashable, Sendable {
    public enum Topic: String, CaseIterable, Sendable {
        /// What the file is, and who told.
        case type
        /// What read the file.
        case decoder
        /// How the picture is turned and stretched, and what says so.
        case orientation
        /// From the file's colours to sRGB.
        case colour
        /// Which frame or page, and why.
        case frame
        /// How the picture became small.
        case shrink
        /// What was used of which limit.
        case limits
    }

    public var topic: Topic
    public var text: String

    public init(_ topic: Topic, _ text: String) {
        self.topic = topic
        self.text = text
    }
}

/// One step of a child's work, and how long it took.
public struct RenderStep: Hashable, Sendable {
    public enum Name: String, CaseIterable, Sendable {
        case confine, recognize, open, search, decode, draw
    }

    public var name: Name
    public var microseconds: UInt64

    public init(_ name: Name, microseconds: UInt64) {
        self.name = name
        self.microseconds = microseconds
    }
}

extension RenderNotes: WireMessage {
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

    /// Texts come from a process that has decoded hostile bytes: they are made printable and bounded.
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
