internal import Media

/// The kinds of a movie's tracks, by `moov/trak/mdia/hdlr` (ISO/IEC 14496-12, 8.4.3).
enum MovieTracks {
    static func content(of source: BoundedSource) throws(Failure) -> TrackContent {
        var walker = ISOBoxWalker(source, limit: 20_000)
        while let box = try walker.next() {
            if box.type == "moov" { return try content(ofMovie: box, source) }
        }
        return .unknown
    }

    private static func content(ofMovie movie: ISOBox, _ source: BoundedSource) throws(Failure) -> TrackContent {
        var walker = ISOBoxWalker(source, in: movie.payload, limit: 4096)
        var handlers: [String?] = []
        while let box = try walker.next() {
            // QuickTime's compressed movie header is not decompressed.
            if box.type == "cmov" { return .unknown }
            guard box.type == "trak" else { continue }
            let handler = try handler(ofTrack: box, source)
            if handler == "vide" { return .video }
            handlers.append(handler)
        }
        guard walker.isComplete, !movie.isCut, !handlers.isEmpty, !handlers.contains(nil) else { return .unknown }
        return handlers.contains("soun") ? .audio : .neither
    }

    /// A track's `handler_type`: `vide`, `soun`, `text`, …
    private static func handler(ofTrack track: ISOBox, _ source: BoundedSource) throws(Failure) -> String? {
        guard let media = try child("mdia", of: track, source),
            let handler = try child("hdlr", of: media, source)
        else { return nil }
        // After version, flags and `pre_defined`.
        return try source.bytes(at: handler.payload.lowerBound, count: 12)?.text(at: 8, count: 4)
    }

    private static func child(_ type: String, of parent: ISOBox, _ source: BoundedSource) throws(Failure) -> ISOBox? {
        var walker = ISOBoxWalker(source, in: parent.payload, limit: 64)
        while let box = try walker.next() {
            if box.type == type { return box }
        }
        return nil
    }
}
