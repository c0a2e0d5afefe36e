// zlib as Swift sees it: functions instead of macros.
#ifndef AETHER_CZLIB_H
#define AETHER_CZLIB_H

#include <zlib.h>

/// deflateInit2 with a window of 32 KB and the zlib header. Returns Z_OK or an error.
static inline int aether_deflate_init(z_stream *_Nonnull stream, int level, int memory, int strategy) {
    return deflateInit2(stream, level, Z_DEFLATED, 15, memory, strategy);
}

/// inflateInit. Returns Z_OK or an error.
static inline int aether_inflate_init(z_stream *_Nonnull stream) { return inflateInit(stream); }

#endif
