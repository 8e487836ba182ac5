// FFmpeg's demuxers, decoders and scaler, with wrappers for macros that Swift does not import, and for differences between
// FFmpeg's versions.
#pragma once

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/dict.h>
#include <libavutil/frame.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

/// Error numbers: macros of expressions, which Swift does not import.
static const int cffmpeg_error_end = AVERROR_EOF;
static const int cffmpeg_error_again = AVERROR(EAGAIN);
static const int cffmpeg_error_memory = AVERROR(ENOMEM);
static const int cffmpeg_error_refused = AVERROR(EPERM);
static const int cffmpeg_error_read = AVERROR(EIO);
static const int cffmpeg_error_invalid_argument = AVERROR(EINVAL);
static const int cffmpeg_error_no_demuxer = AVERROR_DEMUXER_NOT_FOUND;
static const int cffmpeg_error_no_decoder = AVERROR_DECODER_NOT_FOUND;
static const int cffmpeg_error_not_written = AVERROR_PATCHWELCOME;

/// The absence of a timestamp: a macro with a cast, which Swift does not import.
static const int64_t cffmpeg_no_time = AV_NOPTS_VALUE;

/// One component of one pixel in its own depth, in any layout. A wrapper, because Swift imports arrays in structures as tuples.
static inline uint16_t cffmpeg_component(
    const AVFrame *frame, const AVPixFmtDescriptor *descriptor, int x, int y, int component, int of_palette
) {
    uint16_t value = 0;
    av_read_image_line(
        &value, (const uint8_t **)frame->data, frame->linesize, descriptor, x, y, component, 1, of_palette);
    return value;
}

/// Since FFmpeg 6.1 a frame's properties are flags, and a stream's side data belong to its codec's parameters. FFmpeg 5.1 has
/// fields instead, which version 7 deprecates and version 8 removes. Swift calls the functions below.
#define CFFMPEG_HAS_FLAGS (LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 0))

#if CFFMPEG_HAS_FLAGS
static inline int cffmpeg_frame_is_key(const AVFrame *frame) { return !!(frame->flags & AV_FRAME_FLAG_KEY); }

static inline int cffmpeg_frame_is_interlaced(const AVFrame *frame) {
    return !!(frame->flags & AV_FRAME_FLAG_INTERLACED);
}

static inline int cffmpeg_frame_is_top_field_first(const AVFrame *frame) {
    return !!(frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST);
}

static inline void cffmpeg_frame_set_fields(AVFrame *frame, int is_interlaced, int is_top_field_first) {
    frame->flags &= ~(AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST);
    frame->flags |= is_interlaced ? AV_FRAME_FLAG_INTERLACED : 0;
    frame->flags |= is_top_field_first ? AV_FRAME_FLAG_TOP_FIELD_FIRST : 0;
}

/// In units of the stream's time base; 0 where it is unknown.
static inline int64_t cffmpeg_frame_duration(const AVFrame *frame) { return frame->duration; }

/// A stream's side data of a type; `NULL` where there are none. The stream owns the bytes.
static inline const uint8_t *cffmpeg_stream_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *byte_count
) {
    const AVCodecParameters *parameters = stream->codecpar;
    const AVPacketSideData *data =
        av_packet_side_data_get(parameters->coded_side_data, parameters->nb_coded_side_data, type);
    *byte_count = data ? data->size : 0;
    return data ? data->data : NULL;
}
#else
static inline int cffmpeg_frame_is_key(const AVFrame *frame) { return frame->key_frame; }

static inline int cffmpeg_frame_is_interlaced(const AVFrame *frame) { return frame->interlaced_frame; }

static inline int cffmpeg_frame_is_top_field_first(const AVFrame *frame) { return frame->top_field_first; }

static inline void cffmpeg_frame_set_fields(AVFrame *frame, int is_interlaced, int is_top_field_first) {
    frame->interlaced_frame = is_interlaced;
    frame->top_field_first = is_top_field_first;
}

static inline int64_t cffmpeg_frame_duration(const AVFrame *frame) { return frame->pkt_duration; }

static inline const uint8_t *cffmpeg_stream_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *byte_count
) {
    return av_stream_get_side_data(stream, type, byte_count);
}
#endif
