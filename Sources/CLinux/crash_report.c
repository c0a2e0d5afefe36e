#define _GNU_SOURCE
#include "crash_report.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { event_count = 32, event_bytes = 40, frame_count = 64 };

static struct {
    char path[4096];
    char head[8192];
    atomic_int is_armed, was_written;
} report;

// Written without a lock: an event that is being written while the process crashes may be torn, and is bounded all the same.
static struct {
    char text[event_bytes];
    int64_t number, time;
} events[event_count];
static atomic_uint events_noted;

static int64_t now(void) {
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0) return 0;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int clinux_crash_report_arm(const char *path, const char *head) {
    if (path[0] != '/' || strlen(path) >= sizeof report.path) return -EINVAL;
    // The first call loads the unwinder, and allocates.
    void *frames[2];
    backtrace(frames, 2);
    atomic_store(&report.is_armed, 0);
    strcpy(report.path, path);
    strncpy(report.head, head, sizeof report.head - 1);
    atomic_store(&report.is_armed, 1);
    return 0;
}

void clinux_crash_note(const char *text, size_t count, int64_t number) {
    unsigned place = atomic_fetch_add_explicit(&events_noted, 1, memory_order_relaxed) % event_count;
    if (count > event_bytes - 1) count = event_bytes - 1;
    memcpy(events[place].text, text, count);
    events[place].text[count] = 0;
    events[place].number = number;
    events[place].time = now();
}

// ---- words, without the C library's formatting, which may lock and allocate ----

static void put(int fd, const char *text, size_t count) {
    while (count > 0) {
        ssize_t written = write(fd, text, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        text += written;
        count -= (size_t)written;
    }
}

static void put_text(int fd, const char *text) { put(fd, text, strlen(text)); }

static void put_number(int fd, int64_t number, int least_digits) {
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0 || (int)(sizeof digits - at) < least_digits);
    if (number < 0) digits[--at] = '-';
    put(fd, digits + at, sizeof digits - at);
}

static const char *name_of(int signal_number) {
    switch (signal_number) {
    case SIGSEGV: return "SIGSEGV, memory that is not there";
    case SIGBUS: return "SIGBUS, memory that cannot be read, as of a file that was cut";
    case SIGILL: return "SIGILL, a broken condition or an unknown instruction";
    case SIGTRAP: return "SIGTRAP, a broken condition";
    case SIGFPE: return "SIGFPE, a division";
    case SIGABRT: return "SIGABRT, given up by a library";
    default: return "a signal";
    }
}

// The file, empty and for its owner alone; -1 where something else lies at its path.
static int open_report(void) {
    for (char *slash = strchr(report.path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(report.path, 0700);
        *slash = '/';
    }
    int fd = open(report.path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd < 0) return -1;
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink != 1 || fchmod(fd, 0600) != 0 || ftruncate(fd, 0) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static void put_events(int fd) {
    unsigned noted = atomic_load(&events_noted), first = noted > event_count ? noted - event_count : 0;
    int64_t end = now();
    put_text(fd, "\nLast events, in seconds before the end:\n");
    for (unsigned i = first; i < noted; i++) {
        unsigned place = i % event_count;
        int64_t before = (end - events[place].time) / 1000000;
        put_text(fd, "  ");
        put_number(fd, before / 1000, 1);
        put_text(fd, ".");
        put_number(fd, before < 0 ? 0 : before % 1000, 3);
        put_text(fd, "  ");
        put(fd, events[place].text, strnlen(events[place].text, event_bytes));
        if (events[place].number != INT64_MIN) {
            put_text(fd, " ");
            put_number(fd, events[place].number, 1);
        }
        put_text(fd, "\n");
    }
}

void clinux_crash_report_write(int signal_number) {
    // Another thread that crashes meanwhile, and a crash in here, find it begun.
    if (!atomic_load(&report.is_armed) || atomic_exchange(&report.was_written, 1)) return;
    int former = errno, fd = open_report();
    if (fd >= 0) {
        put_text(fd, report.head);
        put_text(fd, "\nSignal ");
        put_number(fd, signal_number, 1);
        put_text(fd, " (");
        put_text(fd, name_of(signal_number));
        put_text(fd, "), seconds since 1970: ");
        struct timespec date;
        put_number(fd, clock_gettime(CLOCK_REALTIME, &date) == 0 ? date.tv_sec : 0, 1);
        char thread[16] = "";
        prctl(PR_GET_NAME, thread, 0, 0, 0);
        put_text(fd, "\nThread ");
        put(fd, thread, strnlen(thread, sizeof thread));
        put_text(fd, "\n");
        // Before the backtrace: unwinding a broken stack may end it all.
        put_events(fd);
        put_text(fd, "\nBacktrace:\n");
        void *frames[frame_count];
        int count = backtrace(frames, frame_count);
        if (count > 0) backtrace_symbols_fd(frames, count, fd);
        close(fd);
    }
    errno = former;
}
