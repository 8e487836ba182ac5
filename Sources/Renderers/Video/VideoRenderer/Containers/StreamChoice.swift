internal import CFFmpeg
internal import Media

/// The stream of a container to render.
enum StreamChoice {
    case movingPicture(Stream)
    case cover(Stream)

    /// Chooses a stream; reads further if the container's header does not suffice.
    ///
    /// - Throws: `unsupported` without a video or cover art, `encrypted`, and the errors of `Container.analyse`.
    init(in container: Container) throws(Failure) {
        var best = Self.best(in: container)
        if container.isIncomplete(best) {
            try container.analyse()
            best = Self.best(in: container)
        }
        guard let best else { throw Failure(.unsupported, detail: "no video") }
        guard best.stream.codecID != AV_CODEC_ID_NONE else {
            throw Failure(.unsupported, detail: "unknown video codec")
        }
        if best.stream.isEncrypted { throw Failure(.encrypted, detail: "the stream is encrypted") }
        self = best
    }

    /// The first default video stream, else the first video stream, else the first cover art.
    private static func best(in container: Container) -> StreamChoice? {
        let moving = container.streams.filter(\.isMovingPicture)
        if let stream = moving.first(where: { $0.isDefault && $0.isKnown }) ?? moving.first(where: \.isKnown)
            ?? moving.first
        {
            return .movingPicture(stream)
        }
        return container.streams.first(where: \.isCover).map(StreamChoice.cover)
    }

    var stream: Stream {
        switch self {
        case .movingPicture(let stream), .cover(let stream): stream
        }
    }
}

extension Container {
    /// Whether the header lacks the choice's codec or size, or announces that streams may follow.
    fileprivate func isIncomplete(_ choice: StreamChoice?) -> Bool {
        switch choice {
        case .movingPicture(let stream): !stream.isKnown
        case .cover, nil: pointer.pointee.ctx_flags & AVFMTCTX_NOHEADER != 0
        }
    }
}
