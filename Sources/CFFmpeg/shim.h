// FFmpeg's demuxers, decoders and scaler. Only what Swift cannot say itself is here: macros, and a union.
#pragma once

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/dict.h>
#include <libavutil/display.h>
#include <libavutil/frame.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

/// Error numbers are macros that negate or pack letters, which Swift does not import.
static const int cffmpeg_error_end = AVERROR_EOF;
static const int cffmpeg_error_again = AVERROR(EAGAIN);
static const int cffmpeg_error_memory = AVERROR(ENOMEM);
static const int cffmpeg_error_refused = AVERROR(EPERM);
static const int cffmpeg_error_read = AVERROR(EIO);
static const int cffmpeg_error_invalid = AVERROR_INVALIDDATA;
static const int cffmpeg_error_invalid_argument = AVERROR(EINVAL);
static const int cffmpeg_error_no_demuxer = AVERROR_DEMUXER_NOT_FOUND;
static const int cffmpeg_error_no_decoder = AVERROR_DECODER_NOT_FOUND;
static const int cffmpeg_error_not_written = AVERROR_PATCHWELCOME;

/// "There is no timestamp": a macro with a cast.
static const int64_t cffmpeg_no_time = AV_NOPTS_VALUE;

/// One component of one pixel in its own depth, whatever the layout; arrays in structures come to Swift as tuples.
static inline uint16_t cffmpeg_component(
    const AVFrame *frame, const AVPixFmtDescriptor *descriptor, int x, int y, int component, int of_palette
) {
    uint16_t value = 0;
    av_read_image_line(
        &value, (const uint8_t **)frame->data, frame->linesize, descriptor, x, y, component, 1, of_palette);
    return value;
}
