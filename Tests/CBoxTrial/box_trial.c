#define _GNU_SOURCE
#include "box_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int result(long status) { return status < 0 ? errno : 0; }

static void *nothing(void *argument) { return argument; }

static int start_thread(void) {
    pthread_t thread;
    int status = pthread_create(&thread, NULL, nothing, NULL);
    if (status) return status;
    return pthread_join(thread, NULL);
}

// Touches block after block until there is no more.
static int fill(void) {
    for (int i = 0; i < 64; i++) {
        // Memory that nobody reads is none to an optimiser.
        volatile char *block = malloc(64 << 20);
        if (!block) return ENOMEM;
        for (int place = 0; place < 4096; place++) block[place] = (char)i;
    }
    return 0;
}

int box_trial(int number) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
    struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
    char *const none[] = {NULL};
    void *memory;
    switch (number) {
    case TRIAL_OPEN: return result(open("/etc/passwd", O_RDONLY));
    case TRIAL_OPEN_FONTS: return result(open("/usr/share/fonts", O_RDONLY | O_DIRECTORY));
    case TRIAL_WRITE_FILE: return result(open("/tmp/aether-box-trial", O_WRONLY | O_CREAT, 0600));
    case TRIAL_SOCKET: return result(socket(AF_INET, SOCK_STREAM, 0));
    case TRIAL_CONNECT: return result(connect(0, (struct sockaddr *)&address, sizeof address));
    case TRIAL_EXEC: return result(execve("/bin/true", none, none));
    case TRIAL_FORK: return result(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    case TRIAL_KILL_PARENT: return result(kill(getppid(), 0));
    case TRIAL_PTRACE: return result(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    case TRIAL_EXECUTABLE_MEMORY:
        memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return memory == MAP_FAILED ? errno : 0;
    case TRIAL_THREAD: return start_thread();
    case TRIAL_RAISE_LIMIT: return result(setrlimit(RLIMIT_AS, &more));
    case TRIAL_LOOK_AT_DESCRIPTORS:
        for (int i = 3; i < 256; i++)
            if (close(i) == 0) return i;
        return 0;
    case TRIAL_GAIN_RIGHTS: return result(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
    case TRIAL_CRASH: abort();
    case TRIAL_HANG:
        for (;;) nanosleep(&(struct timespec){.tv_sec = 1000}, NULL);
    case TRIAL_MEMORY: return fill();
    default: return 0;
    }
}
