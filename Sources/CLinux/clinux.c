#define _GNU_SOURCE
#include "clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/cdrom.h>
#include <linux/major.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int result(int value) { return value < 0 ? -errno : value; }

int clinux_set_thread_name(const char *name) { return pthread_setname_np(pthread_self(), name); }

// The kernel's own layout of struct sched_attr, version 0: glibc declares neither it nor the call before 2.41.
struct scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

int clinux_set_thread_scheduling(int yielding, uint64_t slice_ns, int nice_change) {
    // A person who started the player in a class of its own (chrt) knows why.
    int policy = sched_getscheduler(0);
    if (policy != SCHED_OTHER && policy != SCHED_BATCH) return 0;
    int nice_now = getpriority(PRIO_PROCESS, 0);
    struct scheduling wanted = {
        .size = sizeof wanted, .policy = yielding == 2 ? SCHED_IDLE : yielding ? SCHED_BATCH : SCHED_OTHER, .nice = nice_now + nice_change, .runtime = slice_ns};
    if (syscall(SYS_sched_setattr, 0, &wanted, 0) == 0) return 0;
    wanted.nice = nice_now;
    return result((int)syscall(SYS_sched_setattr, 0, &wanted, 0));
}

int clinux_memfd_create(const char *name) { return result(memfd_create(name, MFD_CLOEXEC)); }

int clinux_sealed_memory(const char *name, size_t size) {
    int memory = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) return -errno;
    if (ftruncate(memory, (off_t)size) == 0 && fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) return memory;
    int reason = errno;
    close(memory);
    return -reason;
}

int clinux_pipe(int ends[2]) { return result(pipe2(ends, O_CLOEXEC)); }

int clinux_accept(int fd) { return result(accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)); }

int clinux_eventfd(void) { return result(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

int clinux_eventfd_signal(int fd) {
    uint64_t one = 1;
    ssize_t n;
    do { n = write(fd, &one, sizeof one); } while (n < 0 && errno == EINTR);
    // EAGAIN: the counter is at its maximum, so the reader is awake already.
    return n < 0 && errno != EAGAIN ? -errno : 0;
}

int clinux_eventfd_drain(int fd) {
    uint64_t count;
    ssize_t n;
    do { n = read(fd, &count, sizeof count); } while (n < 0 && errno == EINTR);
    return n < 0 && errno != EAGAIN ? -errno : 0;
}

static sigset_t set_of(const int *signals, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
    return set;
}

/* The thread that reads the signalfd. A signal that is sent to the process goes to any thread that has not blocked it, and libraries start
   threads that block nothing (swift-subprocess does): such a thread passes it on to the one where it is blocked, pending, and read. */
static volatile pid_t signal_reader;

static void pass_signal_on(int signal_number) {
    int former = errno;
    pid_t reader = signal_reader;
    if (reader != (pid_t)syscall(SYS_gettid) && syscall(SYS_tgkill, getpid(), reader, signal_number) != 0) {
        /* Nobody reads any more: it does what it would have done. */
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    errno = former;
}

int clinux_signalfd(const int *signals, int count) {
    sigset_t set = set_of(signals, count);
    int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (error) return -error;
    signal_reader = (pid_t)syscall(SYS_gettid);
    for (int i = 0; i < count; i++) {
        struct sigaction present, ours;
        /* What was ignored when we were started stays ignored. */
        if (sigaction(signals[i], NULL, &present) != 0 || present.sa_handler == SIG_IGN) continue;
        memset(&ours, 0, sizeof ours);
        ours.sa_handler = pass_signal_on;
        ours.sa_flags = SA_RESTART;
        sigaction(signals[i], &ours, NULL);
    }
    return result(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

int clinux_signalfd_read(int fd) {
    struct signalfd_siginfo info;
    ssize_t n;
    do { n = read(fd, &info, sizeof info); } while (n < 0 && errno == EINTR);
    if (n < 0) return errno == EAGAIN ? 0 : -errno;
    return (int)info.ssi_signo;
}

int clinux_unblock_signals(const int *signals, int count) {
    sigset_t set = set_of(signals, count);
    return -pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

int clinux_timerfd(void) { return result(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)); }

int clinux_timerfd_arm(int fd, int64_t nanoseconds) {
    struct itimerspec spec;
    memset(&spec, 0, sizeof spec);
    spec.it_value.tv_sec = nanoseconds / 1000000000;
    spec.it_value.tv_nsec = nanoseconds % 1000000000;
    return result(timerfd_settime(fd, TFD_TIMER_ABSTIME, &spec, NULL));
}

int clinux_wall_watch(void) {
    int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (fd < 0) return -errno;
    int status = clinux_wall_watch_arm(fd);
    if (status == 0) return fd;
    close(fd);
    return status;
}

int clinux_wall_watch_arm(int fd) {
    uint64_t count;
    // ECANCELED is the news itself.
    ssize_t n = read(fd, &count, sizeof count);
    (void)n;
    // In the year 2106: it never rings by itself.
    struct itimerspec never = {.it_value = {.tv_sec = 0xFFFFFFFFL}};
    return result(timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL));
}

int clinux_get_winsize(int fd, struct clinux_winsize *size) {
    struct winsize ws;
    memset(&ws, 0, sizeof ws);
    if (ioctl(fd, TIOCGWINSZ, &ws) < 0) return -errno;
    size->rows = ws.ws_row;
    size->columns = ws.ws_col;
    size->x_pixels = ws.ws_xpixel;
    size->y_pixels = ws.ws_ypixel;
    return 0;
}

static struct winsize winsize_of(struct clinux_winsize size) {
    struct winsize ws = {
        .ws_row = size.rows, .ws_col = size.columns, .ws_xpixel = size.x_pixels, .ws_ypixel = size.y_pixels};
    return ws;
}

int clinux_set_winsize(int fd, struct clinux_winsize size) {
    struct winsize ws = winsize_of(size);
    return result(ioctl(fd, TIOCSWINSZ, &ws));
}

int clinux_output_queue(int fd) {
    int count = 0;
    if (ioctl(fd, TIOCOUTQ, &count) < 0) return -errno;
    return count;
}

int clinux_spawn_on_pty(char *const *argv, char *const *envp, struct clinux_winsize size, int *master) {
    struct winsize ws = winsize_of(size);
    // Everything the child needs is prepared before the fork: after it only async-signal-safe calls are allowed.
    pid_t pid = forkpty(master, NULL, NULL, &ws);
    if (pid < 0) return -errno;
    if (pid == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        for (int s = 1; s < 32; s++) signal(s, SIG_DFL);
        // The other descriptors of this process are not the child's: a reader may wait for the last holder to close one.
        syscall(SYS_close_range, 3, ~0U, 0);
        execvpe(argv[0], argv, envp);
        _exit(127);
    }
    fcntl(*master, F_SETFD, FD_CLOEXEC);
    return pid;
}

int clinux_spawn(const char *path, char *const *argv, char *const *envp, int input, int output, int complaints) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    if (input < 0) posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    else posix_spawn_file_actions_adddup2(&actions, input, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (complaints < 0) posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    else posix_spawn_file_actions_adddup2(&actions, complaints, 2);
    // Whatever the host has open stays its own.
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    // Our threads take signals by a descriptor and have them blocked; a group of its own is not reached by the terminal's keys.
    sigemptyset(&none);
    sigfillset(&usual);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    pid_t pid;
    int failure = posix_spawn(&pid, path, &actions, &attributes, argv, envp);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failure ? -failure : pid;
}

int clinux_pidfd(int pid) { return result((int)syscall(SYS_pidfd_open, pid, 0)); }

int clinux_openpty(int *master, int *slave, struct clinux_winsize size) {
    struct winsize ws = winsize_of(size);
    if (openpty(master, slave, NULL, NULL, &ws) < 0) return -errno;
    fcntl(*master, F_SETFD, FD_CLOEXEC);
    fcntl(*slave, F_SETFD, FD_CLOEXEC);
    return 0;
}

int clinux_open(const char *path, int flags) {
    int fd;
    do { fd = open(path, flags | O_CLOEXEC, 0644); } while (fd < 0 && errno == EINTR);
    return result(fd);
}

int clinux_set_nonblocking(int fd, int on) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0) return -errno;
    return result(fcntl(fd, F_SETFL, on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK));
}

// ---- crash guard -------------------------------------------------------------------------------------------------

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT};
enum { crash_signal_count = sizeof crash_signals / sizeof crash_signals[0] };

static struct {
    volatile sig_atomic_t armed;
    int fd;
    int has_termios;
    struct termios termios;
    uint8_t bytes[1024];
    size_t byte_count;
    int keeps_former;
    struct sigaction former[crash_signal_count];
} guard;

static uint8_t alternate_stack[64 * 1024];

/* Where descriptor 2 really leads while libraries write into a pipe, and that pipe's other end. */
static volatile int stray_real = -1, stray_pipe = -1;
static int handler_users;

/* The last words, as Swift's own on a broken condition, are still in the pipe. Control bytes become question marks, as do C1 controls in
   UTF-8 (C2 80 … C2 9F). */
static void give_standard_error_back(void) {
    int real = stray_real;
    if (real < 0) return;
    stray_real = -1;
    dup2(real, 2);
    unsigned char bytes[4096];
    for (int round = 0; round < 16; round++) {
        ssize_t count = read(stray_pipe, bytes, sizeof bytes);
        if (count <= 0) return;
        for (ssize_t i = 0; i < count; i++) {
            int is_c1 = bytes[i] >= 0x80 && bytes[i] < 0xA0 && (i == 0 || bytes[i - 1] == 0xC2);
            if ((bytes[i] < 0x20 && bytes[i] != '\n') || bytes[i] == 0x7F || is_c1) bytes[i] = '?';
        }
        if (write(2, bytes, (size_t)count) < 0) return;
    }
}

static void crash_handler(int signal) {
    // A program without a screen dies as it would have died without us.
    int had_terminal = guard.armed;
    if (guard.armed) {
        guard.armed = 0;
        // The other threads still run: what they write from here on must not land behind the restored screen.
        int fd = fcntl(guard.fd, F_DUPFD_CLOEXEC, 0);
        int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (fd >= 0 && nowhere >= 0) dup2(nowhere, guard.fd);
        if (fd < 0) fd = guard.fd;
        // The descriptor may be non-blocking with a full queue: give the terminal up to a second, then go on.
        int flags = fcntl(fd, F_GETFL);
        if (flags >= 0) fcntl(fd, F_SETFL, flags | O_NONBLOCK);
        size_t done = 0;
        for (int attempt = 0; attempt < 10 && done < guard.byte_count; attempt++) {
            ssize_t n = write(fd, guard.bytes + done, guard.byte_count - done);
            if (n > 0) {
                done += (size_t)n;
            } else if (n < 0 && errno == EAGAIN) {
                struct pollfd p = {.fd = fd, .events = POLLOUT};
                poll(&p, 1, 100);
            } else if (n < 0 && errno != EINTR) {
                break;
            }
        }
        if (guard.has_termios) tcsetattr(fd, TCSANOW, &guard.termios);
    }
    clinux_crash_report_write(signal);
    give_standard_error_back();
    // Not the former disposition, unless the person asked for it: where the Swift runtime's backtracer is on by itself, it
    // holds a crashed program at a prompt for 30 s and prints hundreds of lines into the terminal.
    struct sigaction after;
    memset(&after, 0, sizeof after);
    after.sa_handler = SIG_DFL;
    for (int i = 0; i < crash_signal_count; i++)
        if (crash_signals[i] == signal) sigaction(signal, guard.keeps_former || !had_terminal ? &guard.former[i] : &after, NULL);
    // Returning re-executes a faulting instruction under that disposition; for signals that were sent (abort, kill) it
    // must be raised again.
    raise(signal);
}

static int add_handler(void) {
    if (handler_users++ > 0) return 0;
    // A stack of its own, so that a stack overflow can be told too.
    stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
    sigaltstack(&stack, NULL);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = crash_handler;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < crash_signal_count; i++)
        if (sigaction(crash_signals[i], &action, &guard.former[i]) < 0) return -errno;
    return 0;
}

static void remove_handler(void) {
    if (--handler_users > 0) return;
    for (int i = 0; i < crash_signal_count; i++) sigaction(crash_signals[i], &guard.former[i], NULL);
}

int clinux_stray_guard_arm(int real, int pipe) {
    int was_armed = stray_real >= 0;
    stray_pipe = pipe;
    stray_real = real;
    return was_armed ? 0 : add_handler();
}

int clinux_crash_guard_arm(int fd, const struct termios *termios, const uint8_t *bytes, size_t byte_count) {
    if (byte_count > sizeof guard.bytes) return -EINVAL;
    int was_armed = guard.armed;
    guard.armed = 0;
    guard.fd = fd;
    guard.has_termios = termios != NULL;
    if (termios) guard.termios = *termios;
    memcpy(guard.bytes, bytes, byte_count);
    guard.byte_count = byte_count;
    if (!was_armed) {
        const char *backtrace = getenv("SWIFT_BACKTRACE");
        guard.keeps_former = backtrace && strstr(backtrace, "enable=yes");
        int status = add_handler();
        if (status < 0) return status;
    }
    guard.armed = 1;
    return 0;
}

void clinux_crash_guard_disarm(void) {
    if (!guard.armed) return;
    guard.armed = 0;
    remove_handler();
}

void clinux_raise_default(int signal_number) {
    struct sigaction plain, former;
    memset(&plain, 0, sizeof plain);
    plain.sa_handler = SIG_DFL;
    int has_former = sigaction(signal_number, &plain, &former) == 0;
    sigset_t set = set_of(&signal_number, 1);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(signal_number);
    /* Only what stops the process comes here, when it runs again. */
    if (has_former) sigaction(signal_number, &former, NULL);
}

int clinux_usable_cores(void) {
    // The kernel's own count may be larger than glibc's set, which holds 1024; then all cores are taken to be ours.
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? count : 1;
}

size_t clinux_heap_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

int clinux_map_blocks_from(size_t bytes) {
    return mallopt(M_MMAP_THRESHOLD, (int)bytes);
}

// Relocations in code are pages of our own, which would be lost.
static int has_written_code(const struct dl_phdr_info *object, const ElfW(Phdr) *header) {
    if (header->p_type != PT_DYNAMIC) return 0;
    for (const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + header->p_vaddr); entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL))) return 1;
    return 0;
}

static int unmap_code(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size, (void)unused;
    // The program has no name, its libraries have paths; the kernel's own pages have neither.
    if (object->dlpi_name[0] != '\0' && object->dlpi_name[0] != '/') return 0;
    for (int index = 0; index < object->dlpi_phnum; index++)
        if (has_written_code(object, &object->dlpi_phdr[index])) return 0;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[index];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X) || (header->p_flags & PF_W)) continue;
        uintptr_t start = (object->dlpi_addr + header->p_vaddr) & ~(page - 1);
        uintptr_t end = (object->dlpi_addr + header->p_vaddr + header->p_filesz + page - 1) & ~(page - 1);
        // Code that is locked in memory stays there.
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void clinux_unmap_code(void) { dl_iterate_phdr(unmap_code, NULL); }

int clinux_give_up_privileges(void) { return result(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)); }

int clinux_has_writer(int fd) {
    // A process that opens it for writing while we have the lease makes the kernel send a signal. SIGIO, the default, ends the process;
    // SIGURG is ignored.
    fcntl(fd, F_SETSIG, SIGURG);
    if (fcntl(fd, F_SETLEASE, F_RDLCK) == 0) {
        fcntl(fd, F_SETLEASE, F_UNLCK);
        return 0;
    }
    return errno == EAGAIN ? 1 : -1;
}

int clinux_rename_new(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -errno;
    // Not every file system can do that in one step.
    if (link(from, to) != 0) return -errno;
    unlink(from);
    return 0;
}

_Static_assert(
    CLINUX_MAJOR_OPTICAL == SCSI_CDROM_MAJOR && CLINUX_DRIVE_EMPTY == CDS_NO_DISC && CLINUX_DRIVE_OPEN == CDS_TRAY_OPEN &&
        CLINUX_DRIVE_NOT_READY == CDS_DRIVE_NOT_READY && CLINUX_DISC_EMPTY == CDS_NO_DISC && CLINUX_DISC_AUDIO == CDS_AUDIO &&
        CLINUX_DISC_DATA1 == CDS_DATA_1 && CLINUX_DISC_XA1 == CDS_XA_2_1 && CLINUX_DISC_XA2 == CDS_XA_2_2 &&
        CLINUX_DISC_MIXED == CDS_MIXED,
    "the numbers of linux/cdrom.h");

int clinux_drive_status(int fd) { return result(ioctl(fd, CDROM_DRIVE_STATUS, CDSL_CURRENT)); }

int clinux_disc_status(int fd) { return result(ioctl(fd, CDROM_DISC_STATUS, 0)); }

int clinux_disc_protected(int fd) {
    dvd_struct asked = {.copyright = {.type = DVD_STRUCT_COPYRIGHT, .layer_num = 0}};
    if (ioctl(fd, DVD_READ_STRUCT, &asked) != 0) return -errno;
    return asked.copyright.cpst != 0;
}

int clinux_disc_starts(int fd, int32_t *starts, int limit) {
    struct cdrom_tochdr header;
    if (ioctl(fd, CDROMREADTOCHDR, &header) != 0) return -errno;
    int count = 0;
    for (int track = header.cdth_trk0; track <= header.cdth_trk1 + 1 && count < limit; track++) {
        struct cdrom_tocentry entry = {.cdte_track = track > header.cdth_trk1 ? CDROM_LEADOUT : track, .cdte_format = CDROM_LBA};
        if (ioctl(fd, CDROMREADTOCENTRY, &entry) != 0) return -errno;
        if (count == 0 && (entry.cdte_ctrl & CDROM_DATA_TRACK) != 0) return 0;
        starts[count++] = entry.cdte_addr.lba;
    }
    return count;
}

unsigned clinux_device_major(uint64_t device) { return major(device); }
