#pragma once

#include <stdint.h>
#include <sys/time.h>
#include <nfsc/libnfs-raw-mount.h>
#include <nfsc/libnfs-raw-nfs.h>
#include <nfsc/libnfs.h>

/// nfs_pread, whose arguments libnfs 6 has in another order.
static inline int cnfs_pread(struct nfs_context *context, struct nfsfh *file, uint64_t offset, uint64_t count, void *room) {
#ifdef LIBNFS_API_V2
    return nfs_pread(context, file, room, count, offset);
#else
    return nfs_pread(context, file, offset, count, room);
#endif
}
