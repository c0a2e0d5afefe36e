#define _GNU_SOURCE
#include "box.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// The numbers are the same on every architecture; glibc's headers may be older than the kernel.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
#ifndef SYS_landlock_add_rule
#define SYS_landlock_add_rule 445
#endif
#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_rseq
#ifdef __x86_64__
#define SYS_rseq 334
#else
#define SYS_rseq 293
#endif
#endif

// MARK: - Files and the network

// As linux/landlock.h has it since Linux 6.12; an older kernel is given the beginning that it knows.
struct landlock_ruleset {
    uint64_t files, network, scopes;
};

// As linux/landlock.h has it: what may be done to the files below a folder.
struct landlock_folder {
    uint64_t rights;
    int32_t folder;
} __attribute__((packed));

// Allows reading the files below a folder; one that is not there is left out. 0 or -errno.
static int open_folder(int set, const char *path) {
    struct landlock_folder rule = {.rights = 1 << 2 | 1 << 3, .folder = open(path, O_PATH | O_CLOEXEC)};
    if (rule.folder < 0) return 0;
    int status = syscall(SYS_landlock_add_rule, set, 1, &rule, 0) < 0 ? -errno : 0;
    close(rule.folder);
    return status;
}

// The folders where fontconfig looks: settings, its lists, and the fonts.
static int open_fonts(int set, const char *home) {
    static const char *const system[] = {
        "/etc/fonts", "/usr/share/fontconfig", "/var/cache/fontconfig", "/usr/share/fonts", "/usr/local/share/fonts",
        "/usr/share/texmf/fonts", "/usr/X11R6/lib/X11/fonts",
    };
    static const char *const own[] = {".config/fontconfig", ".cache/fontconfig", ".fontconfig", ".local/share/fonts", ".fonts"};
    for (size_t i = 0; i < sizeof system / sizeof system[0]; i++) {
        int status = open_folder(set, system[i]);
        if (status < 0) return status;
    }
    for (size_t i = 0; *home == '/' && i < sizeof own / sizeof own[0]; i++) {
        char path[4096];
        if ((size_t)snprintf(path, sizeof path, "%s/%s", home, own[i]) >= sizeof path) break;
        int status = open_folder(set, path);
        if (status < 0) return status;
    }
    return 0;
}

// Handles all that this version of the interface knows, and allows nothing of it but to read fonts where `fonts` is a home. 1, 0 where the kernel
// has none, or -errno.
static int close_files(const char *fonts) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    if (version <= 0) return 0;
    // Version 1 has 13 rights to files; linking, truncating and ioctl came with 2, 3 and 5.
    int rights = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    struct landlock_ruleset rules = {.files = (1ULL << rights) - 1};
    size_t size = sizeof rules.files;
    if (version >= 4) {
        rules.network = 3;
        size = offsetof(struct landlock_ruleset, scopes);
    }
    if (version >= 6) {
        rules.scopes = 3;
        size = sizeof rules;
    }
    int set = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (set < 0) return -errno;
    int status = fonts ? open_fonts(set, fonts) : 0;
    if (status == 0) status = syscall(SYS_landlock_restrict_self, set, 0) < 0 ? -errno : 1;
    close(set);
    return status;
}

// MARK: - System calls

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef OWN_ARCHITECTURE

// Of a program that has all its libraries: the socket, memory, threads, clocks, its end.
static const int allowed[] = {
    SYS_read, SYS_write, SYS_recvfrom, SYS_recvmsg, SYS_sendto, SYS_sendmsg, SYS_close, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk,
    SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_gettid, SYS_getpid, SYS_sched_yield, SYS_sched_getaffinity, SYS_membarrier,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall, SYS_clock_gettime,
    SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_getrandom, SYS_sysinfo, SYS_fstat, SYS_exit,
    SYS_exit_group,
#ifdef SYS_getrlimit
    SYS_getrlimit,
#endif
#ifdef SYS_time
    SYS_time,
#endif
};

// Libraries look whether a file is there and live without it: they are told that they may not.
static const int refused[] = {
    SYS_ioctl, SYS_fcntl, SYS_openat, SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_readlinkat, SYS_lseek, SYS_statfs, SYS_getcwd,
#ifdef SYS_open
    SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
};

// One that reads fonts finds them, and looks at their folders. Which files those are says Landlock. Without the name of the working directory
// fontconfig 2.15 takes none of its settings.
static const int looking[] = {
    SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_readlinkat, SYS_lseek, SYS_statfs, SYS_fstatfs, SYS_getdents64, SYS_pread64,
    SYS_fadvise64, SYS_getcwd,
#ifdef SYS_stat
    SYS_stat, SYS_lstat, SYS_access, SYS_readlink,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
};

enum { capacity = 256 };

struct program {
    struct sock_filter steps[capacity];
    int count;
};

static void add(struct program *program, struct sock_filter step) {
    // One too many is a filter that the kernel does not take.
    if (program->count < capacity) program->steps[program->count] = step;
    program->count++;
}

static void load(struct program *program, size_t offset) {
    add(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void answer(struct program *program, uint32_t action) {
    add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

// Where the loaded value is this one, the next step; else that many are left out.
static void expect(struct program *program, uint32_t value, int otherwise) {
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, (uint8_t)otherwise));
}

static size_t half(int argument, int upper) {
    size_t place = offsetof(struct seccomp_data, args) + (size_t)argument * sizeof(uint64_t);
    return place + (upper ? sizeof(uint32_t) : 0);
}

enum { refusal = SECCOMP_RET_ERRNO, let = SECCOMP_RET_ALLOW };
#define KILL SECCOMP_RET_KILL_PROCESS

// A call whose argument, under a mask, must have a value. The steps end for this call in any case.
static void check(struct program *program, int call, int argument, uint32_t mask, uint32_t value, uint32_t otherwise) {
    expect(program, (uint32_t)call, 5);
    load(program, half(argument, 0));
    add(program, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
    expect(program, value, 1);
    answer(program, let);
    answer(program, otherwise);
}

static void allow(struct program *program, const int *calls, size_t count, uint32_t action) {
    for (size_t i = 0; i < count; i++) {
        expect(program, (uint32_t)calls[i], 1);
        answer(program, action);
    }
}

// Files of fonts are opened to be read.
static void allow_fonts(struct program *program) {
    const uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
    check(program, SYS_openat, 2, writing, 0, refusal | EACCES);
#ifdef SYS_open
    check(program, SYS_open, 1, writing, 0, refusal | EACCES);
#endif
    // F_GETFD, F_SETFD and F_GETFL.
    expect(program, SYS_fcntl, 4);
    load(program, half(1, 0));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, F_GETFL, 1, 0));
    answer(program, let);
    answer(program, refusal | EACCES);
    allow(program, looking, sizeof looking / sizeof looking[0], let);
}

static void build(struct program *program, int reads_fonts) {
    load(program, offsetof(struct seccomp_data, arch));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0));
    answer(program, KILL);
    load(program, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    // The calls of x32 have numbers of their own.
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
    answer(program, KILL);
#endif
    allow(program, allowed, sizeof allowed / sizeof allowed[0], let);
    if (reads_fonts) allow_fonts(program);
    allow(program, refused, sizeof refused / sizeof refused[0], refusal | EACCES);
    // Threads, and no processes. The arguments of clone3 lie in memory, where no filter looks: without it libraries take clone.
    check(program, SYS_clone, 0, CLONE_THREAD | CLONE_VM, CLONE_THREAD | CLONE_VM, KILL);
    expect(program, SYS_clone3, 1);
    answer(program, refusal | ENOSYS);
    // No code but what is loaded.
    check(program, SYS_mmap, 2, PROT_EXEC, 0, refusal | EACCES);
    check(program, SYS_mprotect, 2, PROT_EXEC, 0, refusal | EACCES);
    check(program, SYS_prctl, 0, ~0U, PR_SET_NAME, refusal | EPERM);
    // Signals to itself: how a library ends the process where it has found a fault of its own.
    check(program, SYS_tgkill, 0, ~0U, (uint32_t)getpid(), KILL);
#ifdef SYS_poll
    check(program, SYS_poll, 1, ~7U, 0, KILL);
#endif
    // The limits of this process, to look at: no process is named, no new limit is given.
    expect(program, SYS_prlimit64, 9);
    load(program, half(0, 0));
    expect(program, 0, 6);
    load(program, half(2, 0));
    expect(program, 0, 4);
    load(program, half(2, 1));
    expect(program, 0, 2);
    answer(program, let);
    answer(program, KILL);
    answer(program, KILL);
    answer(program, KILL);
}

// 1, 0 where the kernel has no filters, or -errno.
static int close_calls(int reads_fonts) {
    uint32_t action = KILL;
    if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) < 0) return 0;
    struct program program = {.count = 0};
    build(&program, reads_fonts);
    if (program.count > capacity) return -E2BIG;
    struct sock_fprog filter = {.len = (unsigned short)program.count, .filter = program.steps};
    // All threads that there are: a library may have started one when it was loaded.
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0 ? 1 : errno ? -errno : -EBUSY;
}

#else

static int close_calls(int reads_fonts) { return 0; }

#endif

// MARK: - The box

static int limit(uint64_t memory) {
    // Threads are counted among the processes of a user, so that their number is no limit that helps: the filter refuses processes. Reads of
    // files are shut off elsewhere.
    const struct { int what; rlim_t most; } limits[] = {
        {RLIMIT_AS, memory}, {RLIMIT_FSIZE, 0}, {RLIMIT_CORE, 0}, {RLIMIT_NOFILE, 16}, {RLIMIT_MEMLOCK, 0}, {RLIMIT_MSGQUEUE, 0},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct rlimit both = {limits[i].most, limits[i].most};
        if (setrlimit(limits[i].what, &both) < 0) return -errno;
    }
    return 0;
}

// All descriptors but the first three. A container may refuse the call that the kernel has.
static void close_others(void) {
    if (syscall(SYS_close_range, 3, ~0U, 0) == 0) return;
    for (int next = 3, most = (int)sysconf(_SC_OPEN_MAX); next < most; next++) close(next);
}

int box_close(uint64_t memory, const char *fonts) {
    int parts = 0;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -errno;
    parts |= BOX_NO_NEW_PRIVS;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) return -errno;
    parts |= BOX_NOT_DUMPABLE;
    close_others();
    parts |= BOX_DESCRIPTORS;
    int status = limit(memory);
    if (status < 0) return status;
    parts |= BOX_LIMITS;
    status = close_files(fonts);
    if (status < 0) return status;
    if (status) parts |= BOX_LANDLOCK;
    status = close_calls(fonts != NULL);
    if (status < 0) return status;
    if (status) parts |= BOX_SECCOMP;
    return parts;
}

// MARK: - Workers of one program

void box_keep_memory(void) {
    // By itself glibc maps each packet of 128 KB anew, and each is 32 page faults and more at every copy.
    mallopt(M_MMAP_THRESHOLD, 8 << 20);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
}

static int is_waited_for(int control) {
    struct pollfd request = {.fd = control, .events = POLLIN};
    return poll(&request, 1, 0) != 0;
}

int box_make_workers(int control, int *own, void (*prepare)(void)) {
    // The system takes the status of those that end.
    signal(SIGCHLD, SIG_IGN);
    pid_t self = getpid();
    int is_prepared = 0;
    while (1) {
        if (!is_prepared && !is_waited_for(control)) {
            prepare();
            is_prepared = 1;
        }
        char byte;
        int descriptor = -1;
        long came = box_receive(control, &byte, 1, &descriptor);
        if (came == -EINTR) continue;
        // The player has ended: a copy that is busy would not see it.
        if (came <= 0) {
            kill(0, SIGKILL);
            _exit(0);
        }
        if (descriptor < 0) continue;
        pid_t copy = fork();
        if (copy == 0) {
            signal(SIGCHLD, SIG_DFL);
            prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
            if (getppid() != self || dup2(descriptor, 0) < 0) _exit(1);
            close(descriptor);
            *own = (int)syscall(SYS_pidfd_open, getpid(), 0);
            if (*own < 0) *own = -errno;
            return byte;
        }
        // Where there is no room for a process the other end is told by the end of its stream.
        close(descriptor);
    }
}

// The words of the command line and the variables lie behind one another.
static void wipe_surroundings(int count, char **words) {
    char *start = count > 0 ? words[0] : NULL, *end = start;
    for (int i = 0; i < count; i++)
        if (words[i]) end = words[i] + strlen(words[i]);
    for (char **variable = environ; variable && *variable; variable++) {
        char *last = *variable + strlen(*variable);
        // One that was set since lies elsewhere.
        if (start && *variable > end && *variable - end < 4096) end = last;
        else explicit_bzero(*variable, (size_t)(last - *variable));
    }
    clearenv();
    if (!start || end <= start) return;
    explicit_bzero(start, (size_t)(end - start));
    strncpy(start, "aether-decoder", (size_t)(end - start) - 1);
}

int box_copy_self(int control, int count, char **words, char *home, size_t room) {
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return -errno;
    pid_t copy = fork();
    if (copy != 0) {
        int failure = errno;
        close(null);
        if (copy < 0) return -failure;
        // Whoever comes first: a group of its own is not reached by the terminal's keys.
        setpgid(copy, copy);
        return copy;
    }
    setpgid(0, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int s = 1; s < 32; s++) signal(s, SIG_DFL);
    if (dup2(control, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0) _exit(1);
    close_others();
    const char *own = getenv("HOME");
    snprintf(home, room, "%s", own ? own : "");
    wipe_surroundings(count, words);
    prctl(PR_SET_NAME, "aether-decoder", 0, 0, 0);
    return 0;
}

int box_end(int process) {
    return syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0) < 0 ? -errno : 0;
}

// MARK: - Memory and sockets

int box_sealed_memory(size_t bytes) {
    int memory = memfd_create("aether-box", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) return -errno;
    if (ftruncate(memory, (off_t)bytes) == 0 && fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) return memory;
    int failure = errno;
    close(memory);
    return -failure;
}

int box_socket_pair(int *first, int *second) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return -errno;
    *first = ends[0];
    *second = ends[1];
    return 0;
}

union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr alignment;
};

long box_send(int socket, const void *bytes, size_t count, int descriptor, int flags) {
    struct iovec piece = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    union control control;
    if (descriptor >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
    }
    ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL | flags);
    return sent < 0 ? -errno : sent;
}

long box_send_both(int socket, const void *head, size_t head_count, const void *body, size_t body_count, int flags) {
    struct iovec pieces[2] = {
        {.iov_base = (void *)(uintptr_t)head, .iov_len = head_count}, {.iov_base = (void *)(uintptr_t)body, .iov_len = body_count}};
    struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2};
    ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL | flags);
    return sent < 0 ? -errno : sent;
}

long box_receive(int socket, void *bytes, size_t count, int *descriptor) {
    struct iovec piece = {.iov_base = bytes, .iov_len = count};
    union control control;
    struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    *descriptor = -1;
    ssize_t came = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (came < 0) return -errno;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(descriptor, CMSG_DATA(head), sizeof *descriptor);
    return came;
}
