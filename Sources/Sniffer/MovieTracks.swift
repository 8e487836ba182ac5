internal import Media

/// Whether a movie has a video track: `moov/trak/mdia/hdlr` says `vide`.
enum MovieTracks {
    /// `nil` where there is no movie box to ask, or its tracks cannot all be read.
    static func hasVideo(in source: BoundedSource) throws(Failure) -> Bool? {
        var walk = BoxWalk(source, in: 0..<source.byteCount, limit: 20_000)
        while let box = try walk.next() {
            if box.type == "moov" { return try hasVideo(inMovie: box, source) }
        }
        return nil
    }

    private static func hasVideo(inMovie movie: Box, _ source: BoundedSource) throws(Failure) -> Bool? {
        var walk = BoxWalk(source, in: movie.payload, limit: 4096)
        var handlers: [String?] = []
        while let box = try walk.next() {
            if box.type == "cmov" { return nil }
            guard box.type == "trak" else { continue }
            let handler = try handler(ofTrack: box, source)
            if handler == "vide" { return true }
            handlers.append(handler)
        }
        let knowsAll = walk.isComplete && !movie.isCut && !handlers.isEmpty && !handlers.contains(nil)
        return knowsAll ? false : nil
    }

    /// The track's handler type: `vide`, `soun`, `text`, …
    private static func handler(ofTrack track: Box, _ source: BoundedSource) throws(Failure) -> String? {
        guard let media = try child("mdia", of: track, source),
            let handler = try child("hdlr", of: media, source)
        else { return nil }
        // Version and flags, a component type or zero, then the handler's type.
        return try source.bytes(at: handler.payload.lowerBound, count: 12)?.text(at: 8, count: 4)
    }

    private static func child(_ type: String, of parent: Box, _ source: BoundedSource) throws(Failure) -> Box? {
        var walk = BoxWalk(source, in: parent.payload, limit: 64)
        while let box = try walk.next() {
            if box.type == type { return box }
        }
        return nil
    }
}
