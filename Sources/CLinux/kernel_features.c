#define _GNU_SOURCE
#include "kernel_features.h"

#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The number is the same on every architecture; glibc's headers may be older than Linux 5.13.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif

// LANDLOCK_CREATE_RULESET_VERSION: the call says its version and makes nothing.
enum { landlock_asks_version = 1 };

int clinux_landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, landlock_asks_version);
    return version > 0 ? (int)version : 0;
}

int clinux_has_seccomp(void) {
    uint32_t action = SECCOMP_RET_KILL_PROCESS;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

int clinux_has_no_new_privs(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) >= 0; }
