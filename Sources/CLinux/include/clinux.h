// The few Linux calls that Swift's Glibc module hides: GNU extensions, variadic ioctls, and the crash handler,
// which must be async-signal-safe and is therefore C. Nothing here decides anything.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#include "crash_report.h"
#include "kernel_features.h"
#include "messages.h"

/// Names the calling thread; the kernel keeps 15 bytes. Returns 0 or an errno value.
int clinux_set_thread_name(const char *_Nonnull name);

/// Sets how the kernel treats the calling thread and the threads that it will start: `yielding` 1 never takes a core from a
/// thread that runs, 2 runs only where a core has nothing else to do (and cannot be left again without rights), `slice_ns` (0: the kernel's own;
/// kernels before 6.12 ignore it) is how short its turns are, and so how soon it gets one after it wakes; `nice_change` is left out where the system
/// does not allow it. Returns 0 or -errno.
int clinux_set_thread_scheduling(int yielding, uint64_t slice_ns, int nice_change);

/// An anonymous file in memory, close-on-exec. Returns a descriptor or -errno.
int clinux_memfd_create(const char *_Nonnull name);

/// The same with a size that nobody can change any more: who maps it is safe from whoever else has it. Returns a descriptor or -errno.
int clinux_sealed_memory(const char *_Nonnull name, size_t size);

/// A pipe, close-on-exec at both ends (read, write). Returns 0 or -errno.
int clinux_pipe(int ends[_Nonnull 2]);

/// The next client that waits at a listening socket, as a non-blocking, close-on-exec descriptor, or -errno.
int clinux_accept(int fd);

/// A non-blocking, close-on-exec eventfd with count 0. Returns a descriptor or -errno.
int clinux_eventfd(void);

/// Adds 1 to an eventfd. Never blocks. Returns 0 or -errno.
int clinux_eventfd_signal(int fd);

/// Sets an eventfd's count to 0. Never blocks. Returns 0 or -errno.
int clinux_eventfd_drain(int fd);

/// A descriptor that delivers the given signals, which are blocked for the calling thread (and for every thread it
/// creates later). Call before any thread is started. Returns a descriptor or -errno.
int clinux_signalfd(const int *_Nonnull signals, int count);

/// Reads one pending signal number from a signalfd: > 0 the signal, 0 none pending, < 0 -errno.
int clinux_signalfd_read(int fd);

/// Unblocks the signals again for the calling thread. Returns 0 or -errno.
int clinux_unblock_signals(const int *_Nonnull signals, int count);

/// A disconnected CLOCK_MONOTONIC timerfd, non-blocking. Returns a descriptor or -errno.
int clinux_timerfd(void);

/// Arms the timer for an absolute CLOCK_MONOTONIC time in nanoseconds (0 disarms). Returns 0 or -errno.
int clinux_timerfd_arm(int fd, int64_t nanoseconds);

/// A descriptor that becomes readable when the wall clock is set, and when the machine wakes from sleep; or -errno. Never blocks.
int clinux_wall_watch(void);
/// Makes it quiet until the next time. 0 or -errno.
int clinux_wall_watch_arm(int fd);

struct clinux_winsize {
    uint16_t rows, columns, x_pixels, y_pixels;
};

/// TIOCGWINSZ. Returns 0 or -errno.
int clinux_get_winsize(int fd, struct clinux_winsize *_Nonnull size);

/// TIOCSWINSZ. Returns 0 or -errno.
int clinux_set_winsize(int fd, struct clinux_winsize size);

/// Bytes queued towards the terminal (TIOCOUTQ). Returns a count or -errno.
int clinux_output_queue(int fd);

/// Starts argv[0] (looked up in PATH) on a new pseudo-terminal of the given size with the given environment.
/// Fills the master descriptor (close-on-exec) and returns the child's pid, or -errno.
int clinux_spawn_on_pty(
    char *_Nullable const *_Nonnull argv, char *_Nullable const *_Nonnull envp, struct clinux_winsize size,
    int *_Nonnull master);

/// Starts a program by its path, in a process group of its own, with all signals as usual and no descriptor but these three as its 0, 1
/// and 2; input and complaints may be -1 for /dev/null. Returns its number or -errno.
int clinux_spawn(
    const char *_Nonnull path, char *_Nullable const *_Nonnull argv, char *_Nullable const *_Nonnull envp, int input, int output,
    int complaints);

/// A descriptor that becomes readable when a child has ended, or -errno. Close-on-exec.
int clinux_pidfd(int pid);

/// A pseudo-terminal pair, both ends close-on-exec. Returns 0 or -errno.
int clinux_openpty(int *_Nonnull master, int *_Nonnull slave, struct clinux_winsize size);

/// open(2) without the variadic mode. Returns a descriptor (close-on-exec) or -errno.
int clinux_open(const char *_Nonnull path, int flags);

/// Sets or clears O_NONBLOCK on the open file description behind fd. Returns 0 or -errno.
int clinux_set_nonblocking(int fd, int on);

/// Registers what a crash must undo: on SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE and SIGABRT the bytes are written to
/// fd, the termios is set, fd leads to /dev/null from then on, and the signal is raised again with its default effect (with
/// its former disposition where SWIFT_BACKTRACE says enable=yes). The bytes are copied (at most 1024). Returns 0 or -errno.
int clinux_crash_guard_arm(
    int fd, const struct termios *_Nullable termios, const uint8_t *_Nonnull bytes, size_t byte_count);

/// Forgets the registration; the former dispositions are put back.
void clinux_crash_guard_disarm(void);

/// While descriptor 2 is the write end of a pipe: on the same signals it leads to `real` again, after the terminal was restored, and what
/// is still in the pipe is written there, its control bytes as question marks. `pipe` is the read end, non-blocking. Without a crash guard
/// the former disposition gets the signal then. A report is written before, where one was asked for (crash_report.h). Both descriptors stay open for good. Returns 0 or -errno.
int clinux_stray_guard_arm(int real, int pipe);

/// Neither this process nor any program that it starts gains rights from now on by starting a setuid program (no_new_privs).
/// Returns 0 or -errno.
int clinux_give_up_privileges(void);

/// Puts a signal's disposition back to SIG_DFL and raises it in this process.
void clinux_raise_default(int signal);

/// The cores that the calling thread may use, at least 1.
int clinux_usable_cores(void);

/// Bytes that the process has of glibc's heap, in all arenas and in mappings of their own.
size_t clinux_heap_in_use(void);

/// Whether a process has the file of a descriptor that was opened for reading alone open for writing: 1, 0, or -1 where the file system,
/// or the owner of the file, does not let it be known. A read lease can be had only where no process has; it is given back at once.
int clinux_has_writer(int fd);

/// Blocks of so many bytes and more are mappings of their own, whatever was freed before. Returns 0 where glibc refuses.
int clinux_map_blocks_from(size_t bytes);

/// Takes the code of the program and of its libraries, as far as nothing was written to it, out of the memory of this process: what runs is mapped
/// again as it runs, sixteen pages with each fault. Any thread.
void clinux_unmap_code(void);

/// Gives a file another name, which no file has yet: one that has it stays as it is. Returns 0 or -errno.
int clinux_rename_new(const char *_Nonnull from, const char *_Nonnull to);

/// The drive's and the disc's state (CDROM_DRIVE_STATUS, CDROM_DISC_STATUS of linux/cdrom.h), or -errno. Blocks until the drive answers.
int clinux_drive_status(int fd);
int clinux_disc_status(int fd);

/// Whether a DVD in a drive is said to be encrypted (DVD_READ_STRUCT, copyright): 1, 0, or -errno. Blocks until the drive answers.
int clinux_disc_protected(int fd);

/// Where the tracks of a disc with audio in a drive begin, and behind them its end, in sectors: at most `limit` numbers. Returns their count, 0
/// for a disc whose first track is data, or -errno. Blocks until the drive answers.
int clinux_disc_starts(int fd, int32_t *_Nonnull starts, int limit);

/// The kernel's number for a kind of device.
unsigned clinux_device_major(uint64_t device);

enum {
    CLINUX_MAJOR_OPTICAL = 11,
    CLINUX_DRIVE_EMPTY = 1,
    CLINUX_DRIVE_OPEN = 2,
    CLINUX_DRIVE_NOT_READY = 3,
    CLINUX_DISC_EMPTY = 1,
    CLINUX_DISC_AUDIO = 100,
    CLINUX_DISC_DATA1 = 101,
    CLINUX_DISC_XA1 = 103,
    CLINUX_DISC_XA2 = 104,
    CLINUX_DISC_MIXED = 105,
};

#endif
