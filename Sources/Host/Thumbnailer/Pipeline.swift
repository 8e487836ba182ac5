internal import Media

/// The ways through the engine, as lists of steps: this module's table of contents.
///
/// Each step is a function in `Steps/`, which states what the step expects and what it leaves.
enum Pipeline {
    /// From an open source to its renditions.
    static let renditions: [Step] = [
        .findKey, .lookUp,
        .askWarmEngine,
        .prepareRenderer, .secureSource,
        .beginBeforeHashing,
        .hash, .lockKey, .lookUp,
        .startRendering, .prepareEntry, .recognize,
        .render,
        .checkSource, .store, .answer,
    ]

    /// The first steps for a source that takes long to hash (`beginBeforeHashing`).
    static let beforeHashing: [Step] = [.lockFile, .findKey, .lookUp, .startRendering]

    /// From an open source to its facts.
    static let facts: [Step] = [
        .findKey, .lookUpFacts,
        .prepareRenderer, .secureSource,
        .startRendering, .hash, .recognize,
        .readFacts,
        .checkSource, .store, .answer,
    ]

    /// From an open source to the text of one of its pages.
    static let text: [Step] = [
        .findKey, .lookUpText,
        .prepareRenderer, .secureSource,
        .hash, .lockKey, .lookUpText,
        .startRendering, .recognize,
        .readText,
        .checkSource, .storeText, .answer,
    ]

    /// What follows a step.
    enum Progress {
        /// The next step of the list.
        case ongoing
        /// Nothing: this is the answer.
        case answered(Thumbnails)
        /// Nothing: the source changed while it was read, and the caller starts over.
        case sourceChanged
    }

    /// The name of a step.
    enum Step {
        case findKey, lookUp, lookUpFacts, lookUpText
        case askWarmEngine
        case prepareRenderer, secureSource
        case beginBeforeHashing, lockFile, hash, lockKey
        case startRendering, prepareEntry, recognize
        case render, readFacts, readText
        case checkSource, store, storeText, answer

        /// Advances a run by this step.
        func take(_ run: inout ThumbnailRun) throws(Failure) -> Progress {
            switch self {
            case .findKey: Pipeline.findKey(&run)
            case .lookUp: Pipeline.lookUp(&run)
            case .lookUpFacts: Pipeline.lookUpFacts(&run)
            case .lookUpText: Pipeline.lookUpText(&run)
            case .askWarmEngine: try Pipeline.askWarmEngine(&run)
            case .prepareRenderer: Pipeline.prepareRenderer(&run)
            case .secureSource: try Pipeline.secureSource(&run)
            case .beginBeforeHashing: try Pipeline.beginBeforeHashing(&run)
            case .lockFile: Pipeline.lockFile(&run)
            case .hash: try Pipeline.hash(&run)
            case .lockKey: Pipeline.lockKey(&run)
            case .startRendering: Pipeline.startRendering(&run)
            case .prepareEntry: Pipeline.prepareEntry(&run)
            case .recognize: try Pipeline.recognize(&run)
            case .render: try Pipeline.render(&run)
            case .readFacts: try Pipeline.readFacts(&run)
            case .readText: try Pipeline.readText(&run)
            case .checkSource: Pipeline.checkSource(&run)
            case .store: Pipeline.store(&run)
            case .storeText: Pipeline.storeText(&run)
            case .answer: Pipeline.answer(&run)
            }
        }
    }
}
