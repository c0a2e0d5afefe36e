// libdav1d as Swift sees it. What differs between versions of its API, as inline functions without logic.
#ifndef AETHER_CDAV1D_H
#define AETHER_CDAV1D_H

#include <dav1d/dav1d.h>
#include <errno.h>
#include <stdint.h>

static inline int aether_dav1d_error(int error_number) { return DAV1D_ERR(error_number); }

/// The number of ITU-T T.35 messages beside a frame. Before API 7 it was the last one of its temporal unit.
static inline size_t aether_dav1d_message_count(const Dav1dPicture *_Nonnull picture) {
#if DAV1D_API_VERSION_MAJOR >= 7
    return picture->n_itut_t35;
#else
    return picture->itut_t35 ? 1 : 0;
#endif
}

static inline const Dav1dITUTT35 *_Nonnull aether_dav1d_messages(const Dav1dPicture *_Nonnull picture) {
    return picture->itut_t35;
}

#endif
