// A process that shuts itself in for good, and the memory and sockets that it is left with.
#ifndef AETHER_CBOX_H
#define AETHER_CBOX_H

#include <stddef.h>
#include <stdint.h>

/// The parts of the box.
enum {
    BOX_NO_NEW_PRIVS = 1 << 0,
    BOX_NOT_DUMPABLE = 1 << 1,
    BOX_LIMITS = 1 << 2,
    BOX_DESCRIPTORS = 1 << 3,
    BOX_LANDLOCK = 1 << 4,
    BOX_SECCOMP = 1 << 5,
};

/// Shuts the calling process in: no rights to gain, no memory to look at, `memory` bytes of address space, no files written, no descriptor but
/// the first three, no file to open, no system call but those of a decoder and its threads. Landlock and seccomp are left out where the kernel
/// has none; whatever it has and refuses is an error. `fonts`: one that draws letters may read the files of fonts, of the system and of the person
/// with this home (empty: of the system alone), and nothing else; where the kernel has no Landlock, it may read other files, too. Returns the parts
/// that hold, or -errno. Cannot be undone; call it once, after all libraries were loaded.
int box_close(uint64_t memory, const char *_Nullable fonts);

/// Lets the heap of the calling process keep what it has: for one whose blocks are large, few, and soon wanted again. Call it before there are
/// threads.
void box_keep_memory(void);

/// Makes workers of a program that is loaded, until the stream `control` ends: a copy of the process for each descriptor that comes over it, with
/// the descriptor as its standard input. Returns in each copy the byte that the descriptor came with, and in `own` a descriptor of the copy itself,
/// by which another process can end it, or -errno where the kernel has none. Never returns in the process that called: it ends with the stream, and all copies with it.
/// `prepare` is called once, when no copy is waited for: what it did, copies need not do. Call it before there are threads.
int box_make_workers(int control, int *_Nonnull own, void (*_Nonnull prepare)(void));

/// A copy of the calling process, which has nothing but the stream `control` as its standard input: no other descriptor, no variables, and not the
/// words of the command line, whose memory is wiped there; its name is that of the program in the box. `home` (`room` bytes) gets the person's home in
/// the copy. Returns 0 in the copy and its number in the process that called, or -errno. Call it before there are threads.
int box_copy_self(int control, int count, char *_Nullable *_Nonnull words, char *_Nonnull home, size_t room);

/// Ends the process of a descriptor at once. 0, or -errno.
int box_end(int process);

/// An anonymous file of so many bytes that nobody can make smaller or larger. A descriptor, or -errno.
int box_sealed_memory(size_t bytes);

/// Both ends of a stream between two processes, close-on-exec. 0, or -errno.
int box_socket_pair(int *_Nonnull first, int *_Nonnull second);

/// Sends bytes, and with the first of them a descriptor where it is not below 0. Raises no signal. The count, or -errno.
long box_send(int socket, const void *_Nonnull bytes, size_t count, int descriptor, int flags);

/// Sends two pieces of bytes, one behind the other, with flags of the system's. Raises no signal. The count of both, or -errno.
long box_send_both(
    int socket, const void *_Nonnull head, size_t head_count, const void *_Nullable body, size_t body_count, int flags);

/// Receives bytes, and with them a descriptor, close-on-exec, where one came (else -1). The count, 0 at the end, or -errno.
long box_receive(int socket, void *_Nonnull bytes, size_t count, int *_Nonnull descriptor);

#endif
