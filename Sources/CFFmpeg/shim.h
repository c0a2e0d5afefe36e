// FFmpeg as Swift sees it. Macros and variadic functions, which Swift cannot import, as inline functions without logic.
#ifndef AETHER_CFFMPEG_H
#define AETHER_CFFMPEG_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <stdio.h>

static inline int aether_averror(int error_number) { return AVERROR(error_number); }
static inline int aether_averror_eof(void) { return AVERROR_EOF; }
static inline int aether_averror_exit(void) { return AVERROR_EXIT; }
static inline int aether_averror_invalid_data(void) { return AVERROR_INVALIDDATA; }
static inline int64_t aether_nopts(void) { return AV_NOPTS_VALUE; }
static inline int64_t aether_av_time_base(void) { return AV_TIME_BASE; }

/// av_log's line as text. Safe for any level; the result is cut to the buffer.
static inline void aether_format_log(
    void *_Nullable object, int level, const char *_Nonnull format, va_list arguments, char *_Nonnull line, int size) {
    int print_prefix = 1;
    av_log_format_line2(object, level, format, arguments, line, size, &print_prefix);
}

/// Channels of a parameter set or frame under both the old and the new channel layout API.
static inline int aether_parameters_channels(const AVCodecParameters *_Nonnull p) {
#if LIBAVUTIL_VERSION_MAJOR >= 58 || LIBAVCODEC_VERSION_MAJOR >= 60
    return p->ch_layout.nb_channels;
#else
    return p->ch_layout.nb_channels > 0 ? p->ch_layout.nb_channels : p->channels;
#endif
}

#endif
