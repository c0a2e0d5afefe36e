#pragma once

#include <libsmbclient.h>
#include <stdint.h>
#include <sys/stat.h>

/// The last change of an entry of a folder, in seconds since 1970. In C, for Swift would ask whose `timespec` it is.
static inline int64_t csmb_entry_modified(const struct libsmb_file_info *entry) { return entry->mtime_ts.tv_sec; }

/// The last change of a file, in seconds since 1970.
static inline int64_t csmb_modified(const struct stat *status) { return status->st_mtim.tv_sec; }
