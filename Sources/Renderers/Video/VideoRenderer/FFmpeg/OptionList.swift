internal import CFFmpeg

/// Owns an `AVDictionary`: options by name.
final class OptionList {
    /// FFmpeg's functions may replace it.
    var pointer: OpaquePointer?

    init(_ options: [String: String]) {
        for (key, value) in options { av_dict_set(&pointer, key, value, 0) }
    }

    deinit { av_dict_free(&pointer) }
}
