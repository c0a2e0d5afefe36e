// ALSA as Swift sees it. Its error callback is variadic, which Swift cannot implement: formatted here, handed on as text.
#ifndef AETHER_CALSA_H
#define AETHER_CALSA_H

#include <alsa/asoundlib.h>
#include <stdarg.h>
#include <stdio.h>

typedef void (*calsa_error_sink)(const char *_Nonnull text);

/// The slot that holds the sink of messages. A static inside a function, because Swift's importer emits no globals of a header.
static inline calsa_error_sink _Nullable *_Nonnull calsa_error_sink_slot(void) {
    static calsa_error_sink slot;
    return &slot;
}

static inline void calsa_format_error(
    const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file;
    (void)line;
    calsa_error_sink sink = *calsa_error_sink_slot();
    if (!sink) return;
    char text[512];
    int used = snprintf(text, sizeof text, "%s: ", function ? function : "?");
    if (used < 0 || used >= (int)sizeof text) used = 0;
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    va_end(arguments);
    if (more > 0) used += more;
    if (error && used < (int)sizeof text - 3) snprintf(text + used, sizeof text - (size_t)used, ": %s", snd_strerror(error));
    sink(text);
}

/// Sends ALSA's messages, which otherwise go to stderr, to `sink`. For the whole process.
static inline void calsa_set_error_sink(calsa_error_sink _Nonnull sink) {
    *calsa_error_sink_slot() = sink;
    snd_lib_error_set_handler(calsa_format_error);
}

#endif
