// FFmpeg as Swift sees it. Macros and variadic functions, which Swift cannot import, as inline functions without logic.
#ifndef AETHER_CFFMPEG_H
#define AETHER_CFFMPEG_H

#include <dlfcn.h>
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/aes.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/display.h>
#include <libavutil/encryption_info.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/film_grain_params.h>
#include <libavutil/hdr_dynamic_metadata.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/mathematics.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/md5.h>
#include <libavutil/motion_vector.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/replaygain.h>
#include <libavutil/stereo3d.h>
#include <libavutil/video_enc_params.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <stdio.h>
#include <string.h>

/// The functions of libavfilter that we call, with its own types.
struct aether_filters {
    __typeof__(avfilter_graph_alloc) *_Nonnull graph_alloc;
    __typeof__(avfilter_graph_free) *_Nonnull graph_free;
    __typeof__(avfilter_graph_create_filter) *_Nonnull graph_create_filter;
    __typeof__(avfilter_graph_config) *_Nonnull graph_config;
    __typeof__(avfilter_get_by_name) *_Nonnull get_by_name;
    __typeof__(avfilter_link) *_Nonnull link;
    __typeof__(av_buffersrc_add_frame) *_Nonnull source_add_frame;
    __typeof__(av_buffersink_get_frame) *_Nonnull sink_get_frame;
    __typeof__(av_buffersink_get_time_base) *_Nonnull sink_get_time_base;
};

/// Loads the libavfilter of the headers, if it is not loaded yet; it stays. Blocks on the file system. 0, or -1 where it, or one of the
/// functions, is missing.
static inline int aether_load_filters(struct aether_filters *_Nonnull filters) {
    void *library = dlopen("libavfilter.so." AV_STRINGIFY(LIBAVFILTER_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return -1;
    const struct { const char *name; void *place; } functions[] = {
        {"avfilter_graph_alloc", &filters->graph_alloc},
        {"avfilter_graph_free", &filters->graph_free},
        {"avfilter_graph_create_filter", &filters->graph_create_filter},
        {"avfilter_graph_config", &filters->graph_config},
        {"avfilter_get_by_name", &filters->get_by_name},
        {"avfilter_link", &filters->link},
        {"av_buffersrc_add_frame", &filters->source_add_frame},
        {"av_buffersink_get_frame", &filters->sink_get_frame},
        {"av_buffersink_get_time_base", &filters->sink_get_time_base},
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function) return -1;
        // As POSIX has it: an object pointer where a function pointer is kept.
        memcpy(functions[i].place, &function, sizeof function);
    }
    return 0;
}

/// Pixels of a frame between two filters, and samples a second. Here and not in Swift, which copies a struct whole: the header states more
/// of a link than there is in memory.
static inline int64_t aether_link_pixels(const AVFilterLink *_Nonnull link) { return (int64_t)link->w * link->h; }
static inline int aether_link_rate(const AVFilterLink *_Nonnull link) { return link->sample_rate; }

/// Says that a decoder's callbacks may be called on its own threads at once. Newer versions take it for granted.
static inline void aether_context_is_thread_safe(AVCodecContext *_Nonnull context) {
#if LIBAVCODEC_VERSION_MAJOR < 60
    _Pragma("GCC diagnostic push")
    _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")
    context->thread_safe_callbacks = 1;
    _Pragma("GCC diagnostic pop")
#else
    (void)context;
#endif
}

/// The planes of a frame with eight at most are those in `data`.
static inline void aether_frame_planes_are_data(AVFrame *_Nonnull frame) { frame->extended_data = frame->data; }

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

static inline void aether_ignore_message(void *_Nullable context, const char *_Nullable message, ...) {
    (void)context;
    (void)message;
}

/// libxml2, where libavformat was built with it, prints what is wrong with a document to descriptor 2. Its setters take a context and a
/// handler; "Thr" is for threads to come. Looked up by name: libavformat may come without it, and its headers are not needed for this.
static inline void aether_silence_libxml2(void) {
    static const char *const names[] = {"xmlThrDefSetGenericErrorFunc", "xmlSetGenericErrorFunc"};
    typedef void (*handler)(void *, const char *, ...);
    for (int i = 0; i < 2; i++) {
        union {
            void *address;
            void (*set)(void *, handler);
        } found = {dlsym(NULL, names[i])};
        if (found.address) found.set(NULL, aether_ignore_message);
    }
}

/// Whether a message of the log comes from a demuxer. The object is the first argument of a log callback.
static inline int aether_log_is_demuxer(void *_Nullable object) {
    if (!object) return 0;
    const AVClass *kind = *(const AVClass **)object;
    if (!kind) return 0;
    return (kind->get_category ? kind->get_category(object) : kind->category) == AV_CLASS_CATEGORY_DEMUXER;
}

/// Channels of a parameter set or frame under both the old and the new channel layout API.
static inline int aether_parameters_channels(const AVCodecParameters *_Nonnull p) {
#if LIBAVUTIL_VERSION_MAJOR >= 58 || LIBAVCODEC_VERSION_MAJOR >= 60
    return p->ch_layout.nb_channels;
#else
    return p->ch_layout.nb_channels > 0 ? p->ch_layout.nb_channels : p->channels;
#endif
}

/// A frame's length in ticks of the packet time base; 0 when unknown.
static inline int64_t aether_frame_duration(const AVFrame *_Nonnull frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

/// Whether a frame consists of two fields taken one after the other.
static inline int aether_frame_is_interlaced(const AVFrame *_Nonnull frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame->interlaced_frame;
#endif
}

/// Whether the upper field of those is the earlier one.
static inline int aether_frame_is_top_first(const AVFrame *_Nonnull frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
    return frame->top_field_first;
#endif
}

/// Says of a frame that is made whether it is a key frame, and of its fields.
static inline void aether_frame_mark(AVFrame *_Nonnull frame, int key, int interlaced, int top_first) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    frame->flags |= (key ? AV_FRAME_FLAG_KEY : 0) | (interlaced ? AV_FRAME_FLAG_INTERLACED : 0)
        | (top_first ? AV_FRAME_FLAG_TOP_FIELD_FIRST : 0);
#else
    frame->key_frame = key;
    frame->interlaced_frame = interlaced;
    frame->top_field_first = top_first;
#endif
}

/// Whether a frame is a key frame.
static inline int aether_frame_is_key(const AVFrame *_Nonnull frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
    return frame->key_frame;
#endif
}

/// Sets a frame's length in ticks.
static inline void aether_frame_set_duration(AVFrame *_Nonnull frame, int64_t ticks) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    frame->duration = ticks;
#else
    frame->pkt_duration = ticks;
#endif
}

static inline void aether_frame_set_progressive(AVFrame *_Nonnull frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    frame->flags &= ~AV_FRAME_FLAG_INTERLACED;
#else
    frame->interlaced_frame = 0;
#endif
}

/// Side data that the container declares for a whole stream, or NULL.
static inline const uint8_t *_Nullable aether_stream_side_data(
    const AVStream *_Nonnull stream, enum AVPacketSideDataType type, size_t *_Nonnull size) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVPacketSideData *data = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
    *size = data ? data->size : 0;
    return data ? data->data : NULL;
#else
    return av_stream_get_side_data(stream, type, size);
#endif
}

/// The side data of a whole stream by its place in the list, or NULL behind the last.
static inline const uint8_t *_Nullable aether_stream_side_data_at(
    const AVStream *_Nonnull stream, int index, enum AVPacketSideDataType *_Nonnull type, size_t *_Nonnull size) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVPacketSideData *list = stream->codecpar->coded_side_data;
    const int count = stream->codecpar->nb_coded_side_data;
#else
    const AVPacketSideData *list = stream->side_data;
    const int count = stream->nb_side_data;
#endif
    if (index < 0 || index >= count) return NULL;
    *type = list[index].type;
    *size = list[index].size;
    return list[index].data;
}

/// Room for side data of a whole stream that is written, zeroed, or NULL.
static inline uint8_t *_Nullable aether_stream_new_side_data(
    AVStream *_Nonnull stream, enum AVPacketSideDataType type, size_t size) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    AVPacketSideData *data = av_packet_side_data_new(
        &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, type, size, 0);
    uint8_t *bytes = data ? data->data : NULL;
#else
    uint8_t *bytes = av_stream_new_side_data(stream, type, size);
#endif
    if (bytes) memset(bytes, 0, size);
    return bytes;
}

/// Drops the side data of a stream that is to be written. From FFmpeg 6.1 on it comes along where parameters are copied.
static inline void aether_stream_drop_side_data(AVStream *_Nonnull stream) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    av_packet_side_data_free(&stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data);
#else
    (void)stream;
#endif
}

/// Gives a whole stream that is to be written a copy of side data. Returns 0, or a negative number without memory.
static inline int aether_stream_add_side_data(
    AVStream *_Nonnull stream, enum AVPacketSideDataType type, const uint8_t *_Nullable bytes, size_t size) {
    if (!bytes || size == 0) return 0;
    uint8_t *made = aether_stream_new_side_data(stream, type, size);
    if (!made) return AVERROR(ENOMEM);
    memcpy(made, bytes, size);
    return 0;
}

/// Drops whatever lies beside a packet's payload.
static inline void aether_packet_drop_side_data(AVPacket *_Nonnull packet) { av_packet_free_side_data(packet); }

// FFmpeg 7.1 says more of some side data.
#define AETHER_HAS_VIEWS (LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(59, 39, 100))

/// The views and the camera of stereoscopic video; 0 where this libavutil does not know them.
struct aether_stereo_views {
    const char *_Nullable view, *_Nullable primary_eye;
    uint32_t baseline;
    AVRational disparity, field_of_view;
};
static inline int aether_stereo_views(const AVStereo3D *_Nonnull stereo, struct aether_stereo_views *_Nonnull views) {
#if AETHER_HAS_VIEWS
    views->view = av_stereo3d_view_name(stereo->view);
    views->primary_eye = av_stereo3d_primary_eye_name(stereo->primary_eye);
    views->baseline = stereo->baseline;
    views->disparity = stereo->horizontal_disparity_adjustment;
    views->field_of_view = stereo->horizontal_field_of_view;
    return 1;
#else
    (void)stereo, (void)views;
    return 0;
#endif
}

/// How the metadata of Dolby Vision is compressed, as ffprobe says it; NULL where this libavutil does not know.
static inline const char *_Nullable aether_dovi_compression(const AVDOVIDecoderConfigurationRecord *_Nonnull record) {
#if AETHER_HAS_VIEWS
    static const char *const names[] = {"none", "limited", "reserved", "extended"};
    return record->dv_md_compression < 4 ? names[record->dv_md_compression] : "unknown";
#else
    (void)record;
    return NULL;
#endif
}

// FFmpeg 7.0 tells of the light around the display.
#define AETHER_HAS_AMBIENT_LIGHT (LIBAVCODEC_VERSION_MAJOR >= 61)
#if AETHER_HAS_AMBIENT_LIGHT
#include <libavutil/ambient_viewing_environment.h>
#endif

/// The light around the display that video was made for: lux, and its colour in CIE 1931's x and y. 0 where side data is of another kind, too
/// short, or not known to this libavcodec.
struct aether_ambient_light {
    AVRational illuminance, x, y;
};
static inline int aether_ambient_light(
    enum AVPacketSideDataType type, const void *_Nullable data, size_t size, struct aether_ambient_light *_Nonnull light) {
#if AETHER_HAS_AMBIENT_LIGHT
    AVAmbientViewingEnvironment said;
    if (type != AV_PKT_DATA_AMBIENT_VIEWING_ENVIRONMENT || !data || size < sizeof said) return 0;
    memcpy(&said, data, sizeof said);
    *light = (struct aether_ambient_light){said.ambient_illuminance, said.ambient_light_x, said.ambient_light_y};
    return 1;
#else
    (void)type, (void)data, (void)size, (void)light;
    return 0;
#endif
}

/// AVERROR_INVALIDDATA's siblings that mean "not media" rather than "cannot open".
static inline int aether_averror_demuxer_not_found(void) { return AVERROR_DEMUXER_NOT_FOUND; }
static inline int aether_averror_protocol_not_found(void) { return AVERROR_PROTOCOL_NOT_FOUND; }
static inline int aether_averror_decoder_not_found(void) { return AVERROR_DECODER_NOT_FOUND; }
static inline int aether_averror_patchwelcome(void) { return AVERROR_PATCHWELCOME; }

#endif
