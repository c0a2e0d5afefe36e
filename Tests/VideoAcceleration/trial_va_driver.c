// A driver of VA-API for tests, where no GPU is: VP9 with 8 and 10 bits (NV12, P010), which libavcodec's vaapi_vp9 hands over frame by frame, whole.
// libavcodec decodes it once more here, on a thread of the driver's, as hardware does: the caller's own thread has nothing but the handing over and
// the reading of the surface. Loaded by libva: LIBVA_DRIVERS_PATH=FOLDER LIBVA_DRIVER_NAME=trial, with the file trial_drv_video.so.
//
// AETHER_TRIAL_VA_TOIL=N     N million steps of work on the caller's thread for each frame: decoding there does not pay.
// AETHER_TRIAL_VA_FAIL=N     from frame N on decoding fails, for this process.
// AETHER_TRIAL_VA_UNREADABLE=N  from frame N on surfaces cannot be read, for this process.
// AETHER_TRIAL_VA_GREEN=1    surfaces stay as they were made: the decoder gives frames, and they are wrong.

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavutil/imgutils.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <va/va.h>
#include <va/va_backend.h>
#include <va/va_dec_vp9.h>

enum { ROOM = 512, KINDS = 5 };
enum kind { CONFIG = 1, CONTEXT, SURFACE, BUFFER, IMAGE };

struct surface {
    int width, height, pitch, depth;
    uint8_t *bytes;
    bool pending, failed;
};

struct buffer {
    VABufferType type;
    unsigned size, count;
    uint8_t *bytes;
    struct surface *lent;  // The bytes are a surface's.
};

struct config {
    VAProfile profile;
};

struct job {
    struct job *next;
    struct surface *target;
    uint8_t *bytes;
    int size;
};

struct context {
    struct trial *driver;
    AVCodecContext *codec;
    pthread_t thread;
    struct job *first, *last;
    bool ends;
    struct surface *target;
    uint8_t *bytes;
    int size;
};

struct trial {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void *objects[ROOM * KINDS];
};

static atomic_long decoded, opened;

static long switched(const char *name) {
    const char *text = getenv(name);
    return text && *text ? atol(text) : -1;
}

static struct trial *of(VADriverContextP va) { return va->pDriverData; }

/// A place for an object. 0 where all are taken.
static unsigned put(struct trial *trial, enum kind kind, void *object) {
    pthread_mutex_lock(&trial->lock);
    for (unsigned i = 0; i < ROOM; i++) {
        void **place = &trial->objects[(kind - 1) * ROOM + i];
        if (*place) continue;
        *place = object;
        pthread_mutex_unlock(&trial->lock);
        return kind << 16 | i;
    }
    pthread_mutex_unlock(&trial->lock);
    return 0;
}

static void *look(struct trial *trial, enum kind kind, unsigned id, bool takes) {
    const unsigned i = id & 0xffff;
    if (id >> 16 != kind || i >= ROOM) return NULL;
    pthread_mutex_lock(&trial->lock);
    void **place = &trial->objects[(kind - 1) * ROOM + i], *object = *place;
    if (takes) *place = NULL;
    pthread_mutex_unlock(&trial->lock);
    return object;
}

static int depth_of(VAProfile profile) { return profile == VAProfileVP9Profile2 ? 10 : 8; }

// Configurations

static VAStatus query_profiles(VADriverContextP va, VAProfile *list, int *count) {
    (void)va;
    list[0] = VAProfileVP9Profile0;
    list[1] = VAProfileVP9Profile2;
    *count = 2;
    return VA_STATUS_SUCCESS;
}

static VAStatus query_entrypoints(VADriverContextP va, VAProfile profile, VAEntrypoint *list, int *count) {
    (void)va;
    *count = 0;
    if (profile != VAProfileVP9Profile0 && profile != VAProfileVP9Profile2) return VA_STATUS_ERROR_UNSUPPORTED_PROFILE;
    list[(*count)++] = VAEntrypointVLD;
    return VA_STATUS_SUCCESS;
}

static VAStatus get_config_attributes(
    VADriverContextP va, VAProfile profile, VAEntrypoint entry, VAConfigAttrib *list, int count) {
    (void)va, (void)entry;
    for (int i = 0; i < count; i++) {
        list[i].value = list[i].type != VAConfigAttribRTFormat ? VA_ATTRIB_NOT_SUPPORTED
            : depth_of(profile) == 10 ? VA_RT_FORMAT_YUV420_10 : VA_RT_FORMAT_YUV420;
    }
    return VA_STATUS_SUCCESS;
}

static VAStatus create_config(
    VADriverContextP va, VAProfile profile, VAEntrypoint entry, VAConfigAttrib *list, int count, VAConfigID *id) {
    (void)list, (void)count;
    if (profile != VAProfileVP9Profile0 && profile != VAProfileVP9Profile2) return VA_STATUS_ERROR_UNSUPPORTED_PROFILE;
    if (entry != VAEntrypointVLD) return VA_STATUS_ERROR_UNSUPPORTED_ENTRYPOINT;
    struct config *config = calloc(1, sizeof *config);
    if (!config) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    config->profile = profile;
    *id = put(of(va), CONFIG, config);
    return *id ? VA_STATUS_SUCCESS : VA_STATUS_ERROR_ALLOCATION_FAILED;
}

static VAStatus destroy_config(VADriverContextP va, VAConfigID id) {
    free(look(of(va), CONFIG, id, true));
    return VA_STATUS_SUCCESS;
}

static VAStatus query_config_attributes(
    VADriverContextP va, VAConfigID id, VAProfile *profile, VAEntrypoint *entry, VAConfigAttrib *list, int *count) {
    struct config *config = look(of(va), CONFIG, id, false);
    if (!config) return VA_STATUS_ERROR_INVALID_CONFIG;
    *profile = config->profile;
    *entry = VAEntrypointVLD;
    list[0].type = VAConfigAttribRTFormat;
    *count = 1;
    return get_config_attributes(va, *profile, *entry, list, 1);
}

// Surfaces

static VAStatus destroy_surfaces(VADriverContextP va, VASurfaceID *list, int count) {
    for (int i = 0; i < count; i++) {
        struct surface *surface = look(of(va), SURFACE, list[i], true);
        if (!surface) continue;
        pthread_mutex_lock(&of(va)->lock);
        while (surface->pending) pthread_cond_wait(&of(va)->changed, &of(va)->lock);
        pthread_mutex_unlock(&of(va)->lock);
        free(surface->bytes);
        free(surface);
    }
    return VA_STATUS_SUCCESS;
}

static VAStatus create_surfaces2(
    VADriverContextP va, unsigned format, unsigned width, unsigned height, VASurfaceID *ids, unsigned count,
    VASurfaceAttrib *attributes, unsigned attribute_count) {
    (void)attributes, (void)attribute_count;
    const int depth = format == VA_RT_FORMAT_YUV420_10 ? 10 : 8;
    for (unsigned i = 0; i < count; i++) {
        struct surface *made = calloc(1, sizeof *made);
        if (!made) return VA_STATUS_ERROR_ALLOCATION_FAILED;
        made->width = (int)width;
        made->height = (int)(height + 1) & ~1;
        made->depth = depth;
        made->pitch = ((int)width * (depth > 8 ? 2 : 1) + 127) & ~127;
        made->bytes = calloc((size_t)made->pitch * (size_t)made->height, 2);
        ids[i] = put(of(va), SURFACE, made);
        if (!made->bytes || !ids[i]) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    }
    return VA_STATUS_SUCCESS;
}

static VAStatus create_surfaces(VADriverContextP va, int width, int height, int format, int count, VASurfaceID *ids) {
    return create_surfaces2(va, (unsigned)format, (unsigned)width, (unsigned)height, ids, (unsigned)count, NULL, 0);
}

static VAStatus query_surface_attributes(VADriverContextP va, VAConfigID id, VASurfaceAttrib *list, unsigned *count) {
    struct config *config = look(of(va), CONFIG, id, false);
    if (!config) return VA_STATUS_ERROR_INVALID_CONFIG;
    const int format = depth_of(config->profile) == 10 ? VA_FOURCC_P010 : VA_FOURCC_NV12;
    const struct { VASurfaceAttribType type; int value; } facts[] = {
        {VASurfaceAttribPixelFormat, format}, {VASurfaceAttribMinWidth, 16}, {VASurfaceAttribMinHeight, 16},
        {VASurfaceAttribMaxWidth, 4096}, {VASurfaceAttribMaxHeight, 4096},
    };
    const unsigned facts_count = sizeof facts / sizeof facts[0];
    for (unsigned i = 0; list && i < facts_count; i++) {
        list[i] = (VASurfaceAttrib){.type = facts[i].type, .flags = VA_SURFACE_ATTRIB_GETTABLE};
        list[i].value.type = VAGenericValueTypeInteger;
        list[i].value.value.i = facts[i].value;
    }
    *count = facts_count;
    return VA_STATUS_SUCCESS;
}

static VAStatus sync_surface(VADriverContextP va, VASurfaceID id) {
    struct surface *surface = look(of(va), SURFACE, id, false);
    if (!surface) return VA_STATUS_ERROR_INVALID_SURFACE;
    pthread_mutex_lock(&of(va)->lock);
    while (surface->pending) pthread_cond_wait(&of(va)->changed, &of(va)->lock);
    const bool failed = surface->failed;
    pthread_mutex_unlock(&of(va)->lock);
    return failed ? VA_STATUS_ERROR_DECODING_ERROR : VA_STATUS_SUCCESS;
}

static VAStatus query_surface_status(VADriverContextP va, VASurfaceID id, VASurfaceStatus *status) {
    struct surface *surface = look(of(va), SURFACE, id, false);
    if (!surface) return VA_STATUS_ERROR_INVALID_SURFACE;
    *status = surface->pending ? VASurfaceRendering : VASurfaceReady;
    return VA_STATUS_SUCCESS;
}

// Decoding, on a thread of a context's

/// Copies planes into the surface, as NV12 or P010.
static void fill(struct surface *surface, const AVFrame *frame) {
    const int width = frame->width < surface->width ? frame->width : surface->width;
    const int height = frame->height < surface->height ? frame->height : surface->height;
    const bool wide = surface->depth > 8;
    for (int y = 0; y < height; y++) {
        const uint8_t *from = frame->data[0] + y * frame->linesize[0];
        uint8_t *to = surface->bytes + y * surface->pitch;
        if (wide) for (int x = 0; x < width; x++) ((uint16_t *)to)[x] = (uint16_t)(((const uint16_t *)from)[x] << 6);
        else memcpy(to, from, (size_t)width);
    }
    for (int y = 0; y < (height + 1) / 2; y++) {
        const uint8_t *u = frame->data[1] + y * frame->linesize[1], *v = frame->data[2] + y * frame->linesize[2];
        uint8_t *to = surface->bytes + (surface->height + y) * surface->pitch;
        for (int x = 0; x < (width + 1) / 2; x++) {
            if (wide) {
                ((uint16_t *)to)[2 * x] = (uint16_t)(((const uint16_t *)u)[x] << 6);
                ((uint16_t *)to)[2 * x + 1] = (uint16_t)(((const uint16_t *)v)[x] << 6);
            } else {
                to[2 * x] = u[x];
                to[2 * x + 1] = v[x];
            }
        }
    }
}

struct bits { const uint8_t *bytes; int size, at; };

static unsigned take(struct bits *bits, int count) {
    unsigned value = 0;
    while (count-- > 0) {
        const int byte = bits->at / 8;
        value = value << 1 | (byte < bits->size ? bits->bytes[byte] >> (7 - bits->at % 8) & 1u : 0);
        bits->at++;
    }
    return value;
}

/// The place among the eight that a frame which is not shown is kept in; -1 for one that is shown, or not kept.
static int hidden_place(const uint8_t *bytes, int size, int *profile) {
    struct bits bits = {bytes, size, 0};
    take(&bits, 2);
    *profile = (int)(take(&bits, 1) | take(&bits, 1) << 1);
    if (*profile == 3) take(&bits, 1);
    if (take(&bits, 1)) return -1;
    const bool is_inter = take(&bits, 1), is_shown = take(&bits, 1), is_resilient = take(&bits, 1);
    if (is_shown) return -1;
    if (!is_inter) return 0;
    const bool is_intra = take(&bits, 1);
    if (!is_resilient) take(&bits, 2);
    if (is_intra) {
        take(&bits, 24);
        if (*profile >= 2) take(&bits, 1);
        if (*profile >= 1) take(&bits, 3 + (*profile & 1 ? 3 : 0));
    }
    const unsigned kept = take(&bits, 8);
    for (int i = 0; i < 8; i++) if (kept >> i & 1) return i;
    return -1;
}

static bool send_and_receive(AVCodecContext *codec, const uint8_t *bytes, int size, AVFrame *frame) {
    AVPacket *packet = av_packet_alloc();
    if (!packet || av_new_packet(packet, size) < 0) return false;
    memcpy(packet->data, bytes, (size_t)size);
    const int sent = avcodec_send_packet(codec, packet);
    av_packet_free(&packet);
    return sent >= 0 && avcodec_receive_frame(codec, frame) >= 0;
}

static bool decode(struct context *context, const struct job *job) {
    AVFrame *frame = av_frame_alloc();
    int profile = 0;
    const int place = hidden_place(job->bytes, job->size, &profile);
    bool is_there = send_and_receive(context->codec, job->bytes, job->size, frame);
    if (!is_there && place >= 0) {
        // "Show what is kept there", of one byte or, with profile 3's bit, of two.
        const unsigned head = 2u << 14 | (profile & 1u) << 13 | (profile >> 1 & 1u) << 12;
        const unsigned rest = profile == 3 ? 1u << 10 | (unsigned)place << 7 : 1u << 11 | (unsigned)place << 8;
        const uint8_t shows[] = {(uint8_t)((head | rest) >> 8), (uint8_t)(head | rest)};
        is_there = send_and_receive(context->codec, shows, profile == 3 ? 2 : 1, frame);
    }
    if (is_there && switched("AETHER_TRIAL_VA_GREEN") <= 0) fill(job->target, frame);
    av_frame_free(&frame);
    return is_there;
}

static void *work(void *argument) {
    struct context *context = argument;
    struct trial *trial = context->driver;
    pthread_mutex_lock(&trial->lock);
    while (true) {
        while (!context->first && !context->ends) pthread_cond_wait(&trial->changed, &trial->lock);
        struct job *job = context->first;
        if (!job) break;
        context->first = job->next;
        if (!context->first) context->last = NULL;
        pthread_mutex_unlock(&trial->lock);
        const bool is_there = decode(context, job);
        pthread_mutex_lock(&trial->lock);
        job->target->pending = false;
        job->target->failed = !is_there;
        pthread_cond_broadcast(&trial->changed);
        free(job->bytes);
        free(job);
    }
    pthread_mutex_unlock(&trial->lock);
    return NULL;
}

static VAStatus create_context(
    VADriverContextP va, VAConfigID config, int width, int height, int flag, VASurfaceID *targets, int count, VAContextID *id) {
    (void)width, (void)height, (void)flag, (void)targets, (void)count;
    if (!look(of(va), CONFIG, config, false)) return VA_STATUS_ERROR_INVALID_CONFIG;
    struct context *context = calloc(1, sizeof *context);
    if (!context) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    context->driver = of(va);
    const AVCodec *codec = avcodec_find_decoder_by_name("vp9");
    context->codec = codec ? avcodec_alloc_context3(codec) : NULL;
    if (context->codec) context->codec->thread_count = 1;
    if (!context->codec || avcodec_open2(context->codec, codec, NULL) < 0
        || pthread_create(&context->thread, NULL, work, context)) {
        avcodec_free_context(&context->codec);
        free(context);
        return VA_STATUS_ERROR_OPERATION_FAILED;
    }
    *id = put(of(va), CONTEXT, context);
    atomic_fetch_add(&opened, 1);
    return VA_STATUS_SUCCESS;
}

static VAStatus destroy_context(VADriverContextP va, VAContextID id) {
    struct context *context = look(of(va), CONTEXT, id, true);
    if (!context) return VA_STATUS_ERROR_INVALID_CONTEXT;
    pthread_mutex_lock(&of(va)->lock);
    context->ends = true;
    pthread_cond_broadcast(&of(va)->changed);
    pthread_mutex_unlock(&of(va)->lock);
    pthread_join(context->thread, NULL);
    avcodec_free_context(&context->codec);
    free(context->bytes);
    free(context);
    return VA_STATUS_SUCCESS;
}

static VAStatus begin_picture(VADriverContextP va, VAContextID id, VASurfaceID target) {
    struct context *context = look(of(va), CONTEXT, id, false);
    struct surface *surface = look(of(va), SURFACE, target, false);
    if (!context) return VA_STATUS_ERROR_INVALID_CONTEXT;
    if (!surface) return VA_STATUS_ERROR_INVALID_SURFACE;
    context->target = surface;
    free(context->bytes);
    context->bytes = NULL;
    context->size = 0;
    return VA_STATUS_SUCCESS;
}

static VAStatus render_picture(VADriverContextP va, VAContextID id, VABufferID *list, int count) {
    struct context *context = look(of(va), CONTEXT, id, false);
    if (!context) return VA_STATUS_ERROR_INVALID_CONTEXT;
    for (int i = 0; i < count; i++) {
        struct buffer *buffer = look(of(va), BUFFER, list[i], false);
        if (!buffer) return VA_STATUS_ERROR_INVALID_BUFFER;
        if (buffer->type != VASliceDataBufferType || context->bytes) continue;
        context->size = (int)(buffer->size * buffer->count);
        context->bytes = malloc((size_t)context->size + 1);
        if (!context->bytes) return VA_STATUS_ERROR_ALLOCATION_FAILED;
        memcpy(context->bytes, buffer->bytes, (size_t)context->size);
    }
    return VA_STATUS_SUCCESS;
}

static VAStatus end_picture(VADriverContextP va, VAContextID id) {
    struct context *context = look(of(va), CONTEXT, id, false);
    if (!context || !context->bytes || !context->target) return VA_STATUS_ERROR_INVALID_CONTEXT;
    const long number = atomic_fetch_add(&decoded, 1), last = switched("AETHER_TRIAL_VA_FAIL");
    if (last >= 0 && number >= last) return VA_STATUS_ERROR_DECODING_ERROR;
    const long toil = switched("AETHER_TRIAL_VA_TOIL");
    volatile uint64_t state = 1;
    for (long i = 0; i < toil * 1000000; i++) state = state * 6364136223846793005u + 1442695040888963407u;

    struct job *job = calloc(1, sizeof *job);
    if (!job) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    *job = (struct job){.target = context->target, .bytes = context->bytes, .size = context->size};
    context->bytes = NULL;
    pthread_mutex_lock(&of(va)->lock);
    job->target->pending = true;
    if (context->last) context->last->next = job;
    else context->first = job;
    context->last = job;
    pthread_cond_broadcast(&of(va)->changed);
    pthread_mutex_unlock(&of(va)->lock);
    return VA_STATUS_SUCCESS;
}

// Buffers

static VAStatus create_buffer(
    VADriverContextP va, VAContextID context, VABufferType type, unsigned size, unsigned count, void *data, VABufferID *id) {
    (void)context;
    struct buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    *buffer = (struct buffer){.type = type, .size = size, .count = count, .bytes = calloc(count, size)};
    if (buffer->bytes && data) memcpy(buffer->bytes, data, (size_t)size * count);
    *id = put(of(va), BUFFER, buffer);
    return buffer->bytes && *id ? VA_STATUS_SUCCESS : VA_STATUS_ERROR_ALLOCATION_FAILED;
}

static VAStatus set_count(VADriverContextP va, VABufferID id, unsigned count) {
    (void)va, (void)id, (void)count;
    return VA_STATUS_ERROR_UNIMPLEMENTED;
}

static VAStatus map_buffer(VADriverContextP va, VABufferID id, void **bytes) {
    struct buffer *buffer = look(of(va), BUFFER, id, false);
    if (!buffer) return VA_STATUS_ERROR_INVALID_BUFFER;
    *bytes = buffer->lent ? buffer->lent->bytes : buffer->bytes;
    return VA_STATUS_SUCCESS;
}

#if VA_CHECK_VERSION(1, 21, 0)
// What FFmpeg 7.1 calls, with the purpose.
static VAStatus map_buffer_for(VADriverContextP context, VABufferID id, void **data, uint32_t flags) {
    (void)flags;
    return map_buffer(context, id, data);
}
#endif

static VAStatus unmap_buffer(VADriverContextP va, VABufferID id) {
    return look(of(va), BUFFER, id, false) ? VA_STATUS_SUCCESS : VA_STATUS_ERROR_INVALID_BUFFER;
}

static VAStatus destroy_buffer(VADriverContextP va, VABufferID id) {
    struct buffer *buffer = look(of(va), BUFFER, id, true);
    if (buffer) free(buffer->bytes);
    free(buffer);
    return VA_STATUS_SUCCESS;
}

// Images: the memory of a surface

static const VAImageFormat formats[] = {
    {.fourcc = VA_FOURCC_NV12, .byte_order = VA_LSB_FIRST, .bits_per_pixel = 12},
    {.fourcc = VA_FOURCC_P010, .byte_order = VA_LSB_FIRST, .bits_per_pixel = 24},
};

static VAStatus query_image_formats(VADriverContextP va, VAImageFormat *list, int *count) {
    (void)va;
    memcpy(list, formats, sizeof formats);
    *count = 2;
    return VA_STATUS_SUCCESS;
}

static VAStatus create_image(VADriverContextP va, VAImageFormat *format, int width, int height, VAImage *image) {
    const bool wide = format->fourcc == VA_FOURCC_P010;
    if (!wide && format->fourcc != VA_FOURCC_NV12) return VA_STATUS_ERROR_INVALID_IMAGE_FORMAT;
    const unsigned pitch = ((unsigned)width * (wide ? 2 : 1) + 127) & ~127u, rows = (unsigned)(height + 1) & ~1u;
    memset(image, 0, sizeof *image);
    image->format = *format;
    image->width = (uint16_t)width;
    image->height = (uint16_t)height;
    image->num_planes = 2;
    image->pitches[0] = image->pitches[1] = pitch;
    image->offsets[1] = pitch * rows;
    image->data_size = pitch * rows * 3 / 2;
    VAStatus status = create_buffer(va, 0, VAImageBufferType, image->data_size, 1, NULL, &image->buf);
    if (status != VA_STATUS_SUCCESS) return status;
    VAImage *kept = malloc(sizeof *kept);
    if (!kept) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    image->image_id = put(of(va), IMAGE, kept);
    *kept = *image;
    return VA_STATUS_SUCCESS;
}

static VAStatus derive_image(VADriverContextP va, VASurfaceID id, VAImage *image) {
    (void)va, (void)id, (void)image;
    // As iHD says of tiled surfaces: they are read through `vaGetImage`.
    return VA_STATUS_ERROR_OPERATION_FAILED;
}

static VAStatus destroy_image(VADriverContextP va, VAImageID id) {
    VAImage *image = look(of(va), IMAGE, id, true);
    if (!image) return VA_STATUS_ERROR_INVALID_IMAGE;
    destroy_buffer(va, image->buf);
    free(image);
    return VA_STATUS_SUCCESS;
}

static VAStatus get_image(
    VADriverContextP va, VASurfaceID id, int x, int y, unsigned width, unsigned height, VAImageID image_id) {
    (void)x, (void)y, (void)width;
    const long last = switched("AETHER_TRIAL_VA_UNREADABLE");
    if (last >= 0 && atomic_load(&decoded) > last) return VA_STATUS_ERROR_OPERATION_FAILED;
    VAStatus status = sync_surface(va, id);
    if (status != VA_STATUS_SUCCESS) return status;
    struct surface *surface = look(of(va), SURFACE, id, false);
    VAImage *image = look(of(va), IMAGE, image_id, false);
    struct buffer *buffer = image ? look(of(va), BUFFER, image->buf, false) : NULL;
    if (!surface || !buffer) return VA_STATUS_ERROR_INVALID_IMAGE;
    if ((surface->depth > 8) != (image->format.fourcc == VA_FOURCC_P010)) return VA_STATUS_ERROR_INVALID_IMAGE_FORMAT;
    const unsigned rows = height < (unsigned)surface->height ? height : (unsigned)surface->height;
    const size_t bytes = image->pitches[0] < (unsigned)surface->pitch ? image->pitches[0] : (size_t)surface->pitch;
    for (unsigned row = 0; row < rows; row++) {
        memcpy(buffer->bytes + row * image->pitches[0], surface->bytes + row * (unsigned)surface->pitch, bytes);
    }
    for (unsigned row = 0; row < (rows + 1) / 2; row++) {
        memcpy(
            buffer->bytes + image->offsets[1] + row * image->pitches[1],
            surface->bytes + ((unsigned)surface->height + row) * (unsigned)surface->pitch, bytes);
    }
    return VA_STATUS_SUCCESS;
}

// What decoders do not call

static VAStatus unknown(void) { return VA_STATUS_ERROR_UNIMPLEMENTED; }

static VAStatus no_subpicture_formats(VADriverContextP va, VAImageFormat *list, unsigned *flags, unsigned *count) {
    (void)va, (void)list, (void)flags;
    *count = 0;
    return VA_STATUS_SUCCESS;
}

static VAStatus no_display_attributes(VADriverContextP va, VADisplayAttribute *list, int *count) {
    (void)va, (void)list;
    *count = 0;
    return VA_STATUS_SUCCESS;
}

static VAStatus terminate(VADriverContextP va) {
    struct trial *trial = of(va);
    pthread_mutex_destroy(&trial->lock);
    pthread_cond_destroy(&trial->changed);
    free(trial);
    va->pDriverData = NULL;
    return VA_STATUS_SUCCESS;
}

/// libva asks for the function of its own version, then for those of all before it.
VAStatus __vaDriverInit_1_0(VADriverContextP va);
VAStatus __vaDriverInit_1_0(VADriverContextP va) {
    struct trial *trial = calloc(1, sizeof *trial);
    if (!trial) return VA_STATUS_ERROR_ALLOCATION_FAILED;
    pthread_mutex_init(&trial->lock, NULL);
    pthread_cond_init(&trial->changed, NULL);
    va->pDriverData = trial;
    va->version_major = VA_MAJOR_VERSION;
    va->version_minor = VA_MINOR_VERSION;
    va->max_profiles = 2;
    va->max_entrypoints = 1;
    va->max_attributes = 1;
    va->max_image_formats = 2;
    va->max_subpic_formats = 1;
    va->max_display_attributes = 1;
    va->str_vendor = "aether trial driver";
    // libva refuses a table with a hole.
    void (**functions)(void) = (void (**)(void))va->vtable;
    for (size_t i = 0; i < offsetof(struct VADriverVTable, reserved) / sizeof *functions; i++) {
        functions[i] = (void (*)(void))unknown;
    }
    struct VADriverVTable *table = va->vtable;
    table->vaTerminate = terminate;
    table->vaQueryConfigProfiles = query_profiles;
    table->vaQueryConfigEntrypoints = query_entrypoints;
    table->vaGetConfigAttributes = get_config_attributes;
    table->vaCreateConfig = create_config;
    table->vaDestroyConfig = destroy_config;
    table->vaQueryConfigAttributes = query_config_attributes;
    table->vaCreateSurfaces = create_surfaces;
    table->vaCreateSurfaces2 = create_surfaces2;
    table->vaDestroySurfaces = destroy_surfaces;
    table->vaQuerySurfaceAttributes = query_surface_attributes;
    table->vaSyncSurface = sync_surface;
    table->vaQuerySurfaceStatus = query_surface_status;
    table->vaCreateContext = create_context;
    table->vaDestroyContext = destroy_context;
    table->vaBeginPicture = begin_picture;
    table->vaRenderPicture = render_picture;
    table->vaEndPicture = end_picture;
    table->vaCreateBuffer = create_buffer;
    table->vaBufferSetNumElements = set_count;
    table->vaMapBuffer = map_buffer;
#if VA_CHECK_VERSION(1, 21, 0)
    table->vaMapBuffer2 = map_buffer_for;
#endif
    table->vaUnmapBuffer = unmap_buffer;
    table->vaDestroyBuffer = destroy_buffer;
    table->vaQueryImageFormats = query_image_formats;
    table->vaCreateImage = create_image;
    table->vaDeriveImage = derive_image;
    table->vaDestroyImage = destroy_image;
    table->vaGetImage = get_image;
    table->vaQuerySubpictureFormats = no_subpicture_formats;
    table->vaQueryDisplayAttributes = no_display_attributes;
    return VA_STATUS_SUCCESS;
}
