// A report of a crash, written by the handler of clinux.c: everything in it is async-signal-safe and allocates nothing.
#ifndef CLINUX_CRASH_REPORT_H
#define CLINUX_CRASH_REPORT_H

#include <stddef.h>
#include <stdint.h>

/// From now on a fatal signal writes a report to `path` (0600, in folders of 0700 that are made then): `head`, the signal, the backtrace of
/// the thread, the last events. Both are copied (at most 4095 and 8191 bytes). Call once, before there are threads; loads what the
/// backtrace needs. Returns 0 or -errno.
int clinux_crash_report_arm(const char *_Nonnull path, const char *_Nonnull head);

/// Notes that something happened, in at most 39 bytes; the last 32 are in the report. Any thread, never blocks.
void clinux_crash_note(const char *_Nonnull text, size_t count, int64_t number);

/// Writes the report for a signal, once a process; nothing where none was asked for. Async-signal-safe.
void clinux_crash_report_write(int signal_number);

#endif
