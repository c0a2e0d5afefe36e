#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>
#include <nfsc/libnfs-raw-mount.h>
#include <nfsc/libnfs-raw-nfs.h>
#include <nfsc/libnfs.h>

/// nfs_pread_async, whose arguments libnfs 6 has in another order; there the bytes go to the room at once.
static inline int cnfs_pread_async(
    struct nfs_context *context, struct nfsfh *file, uint64_t offset, uint64_t count, void *room, nfs_cb callback, void *data) {
#ifdef LIBNFS_API_V2
    return nfs_pread_async(context, file, room, count, offset, callback, data);
#else
    (void)room;
    return nfs_pread_async(context, file, offset, count, callback, data);
#endif
}

/// Whether the bytes lie in libnfs' own memory when the callback is run, and are to be copied.
#ifdef LIBNFS_API_V2
static const bool cnfs_copies = false;
#else
static const bool cnfs_copies = true;
#endif
