// SQLite as Swift sees it: functions instead of macros.
#ifndef AETHER_CSQLITE_H
#define AETHER_CSQLITE_H

#include <sqlite3.h>

/// sqlite3_bind_text64 of UTF-8 that SQLite copies at once.
static inline int aether_sqlite_bind_text(sqlite3_stmt *_Nonnull statement, int index, const char *_Nonnull text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

#endif
