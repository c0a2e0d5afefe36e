// What the kernel offers for shutting a process off. All of it is asked, nothing is used. Nothing here blocks.
#ifndef CLINUX_KERNEL_FEATURES_H
#define CLINUX_KERNEL_FEATURES_H

/// The version of Landlock's interface, from 1; 0 where the kernel has none or has it switched off.
int clinux_landlock_version(void);

/// Whether seccomp filters can end a process at a system call: 1 or 0.
int clinux_has_seccomp(void);

/// Whether no_new_privs is known: 1 or 0.
int clinux_has_no_new_privs(void);

#endif
