// The Linux calls that Swift cannot make itself: variadic functions, macros, and calls that glibc does not wrap.
// Every function keeps the kernel's convention: -1 and errno on failure. No logic lives here.
// The header does not define _GNU_SOURCE: Swift's Glibc module is built without it, and two views of one C type clash.
// Functions that need it have their bodies in CLinux.c.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <dirent.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

/// `errno` of this thread (a macro in C).
static inline int clinux_errno(void) { return errno; }

/// `SIG_IGN` is a macro that casts.
static inline void clinux_ignore_signal(int number) { signal(number, SIG_IGN); }

/// The environment's entries (`environ` is a global that Swift takes for shared mutable state).
char **clinux_environment(void);

/// `MADV_POPULATE_WRITE` is a GNU extension.
int clinux_populate(void *address, size_t byte_count);

/// `mallopt(M_MMAP_THRESHOLD, …)`, whose header Swift's module of glibc lacks.
int clinux_map_memory_from(int byte_count);

/// `stderr` is a global that Swift takes for shared mutable state.
static inline FILE *clinux_standard_error(void) { return stderr; }

/// `open` is variadic.
static inline int clinux_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

/// Whether an extended attribute of a file has this value.
int clinux_has_attribute(const char *path, const char *name, const char *value);

/// `openat` is variadic.
static inline int clinux_openat(int directory, const char *path, int flags, mode_t mode) {
    return openat(directory, path, flags, mode);
}

/// `openat2` beneath `directory`: no link and no `..` leads out of it (glibc 2.36 does not wrap the call). `ENOSYS`
/// before Linux 5.6, and `EPERM` under some containers' filters.
int clinux_openat_beneath(int directory, const char *path, int flags);

/// `openat2` beneath `directory` without following any link. `mode` counts with `O_CREAT`.
int clinux_openat_without_links(int directory, const char *path, int flags, mode_t mode);

/// `sync_file_range` with `SYNC_FILE_RANGE_WRITE`, a GNU extension: begins to write a part of a file to the disk.
int clinux_start_writing(int descriptor, int64_t offset, int64_t byte_count);

/// `fcntl` with an integer argument is variadic.
static inline int clinux_fcntl(int descriptor, int command, long argument) {
    return fcntl(descriptor, command, argument);
}

/// `prctl` is variadic.
static inline int clinux_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d) {
    return prctl(option, a, b, c, d);
}

/// The width of the terminal behind `descriptor`, or 0 (`ioctl` is variadic).
static inline int clinux_terminal_columns(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/// A memory file that can be sealed (the flags are macros that Swift does not import).
int clinux_memfd_create(const char *name);

/// Forbids growing and shrinking.
int clinux_seal_size(int descriptor);

/// Forbids writing; fails while anybody has the file mapped for that.
int clinux_seal_content(int descriptor);

/// Forbids writing, growing, shrinking and further seals.
int clinux_seal_all(int descriptor);

/// Whether a memory file can neither be written to nor change its size.
int clinux_is_all_sealed(int descriptor);

/// Takes a lease of a file for reading and gives it back: fails with EAGAIN where somebody has the file open or mapped
/// for writing, and otherwise where leases are not available (`F_SETLEASE` and `F_SETSIG` are GNU extensions).
int clinux_try_read_lease(int descriptor);

// glibc 2.36 (Debian 12) has these two calls, but not in a header that Swift imports.
int clinux_pidfd_open(pid_t pid);
int clinux_pidfd_kill(int pidfd, int signal);

/// `fork`: Swift marks it unavailable. Sound only in a process of one thread (see Rendering).
static inline pid_t clinux_fork(void) { return fork(); }

/// Spawns `path` with `control` as descriptor 3 and nothing above it; signal mask and dispositions at their defaults.
/// Standard input, output and (unless `keeps_errors`) error are the null device. Returns 0 and the process id, or an
/// errno value (`addclosefrom_np` does not import).
int clinux_spawn_with_control(
    pid_t *pid, const char *path, int control, int keeps_errors, char *const arguments[], char *const environment[]);

/// Closes `first` and every descriptor above it.
int clinux_close_from(int first);

/// Names the calling thread (at most 15 characters).
void clinux_name_thread(const char *name);

/// Opens an unnamed file in `folder` for reading and writing.
int clinux_open_unnamed(const char *folder);

/// Whether a memory file cannot shrink under a mapping.
int clinux_is_sealed(int descriptor);

/// Sends one message and `count` (at most 4) descriptors (the CMSG macros do not import).
ssize_t clinux_send(int socket, const void *bytes, size_t length, const int *descriptors, int count, int flags);

/// Receives one message and at most 4 descriptors, close-on-exec. `*count` is how many arrived; `*truncated` tells
/// that bytes or descriptors did not fit (all that arrived are closed then).
ssize_t clinux_receive(
    int socket, void *bytes, size_t length, int descriptors[4], int *count, int *truncated, int flags);

/// Accepts a connection that waits, close-on-exec and without blocking (`accept4` is a GNU extension).
int clinux_accept(int socket);

/// The process and user at the other end of a Unix socket (`struct ucred` is a GNU extension).
int clinux_peer(int socket, pid_t *process, uid_t *user);

/// Any system call by its number (`syscall` is variadic): for the tests of what is forbidden.
static inline long clinux_call(long number, long a, long b, long c, long d, long e) {
    long syscall(long, ...);
    return syscall(number, a, b, c, d, e);
}

/// `futex` has six arguments.
static inline long clinux_futex(long address, long operation, long a, long b, long other, long c) {
    long syscall(long, ...);
    return syscall(SYS_futex, address, operation, a, b, other, c);
}

// Confinement of a renderer's children (see Rendering).

/// Loads a seccomp program of `count` instructions (8 bytes each) into this process (`struct sock_fprog` and its
/// constants do not import).
int clinux_load_call_filter(const void *instructions, unsigned short count);

/// Writes the number of a system call that the filter traps to `*place`, before the process dies of SIGSYS as it would
/// anyway (`siginfo_t` is a union that Swift cannot read; a handler must not allocate).
int clinux_note_forbidden_calls(volatile int32_t *place);

/// From now on the process sends a message and exits with success where a library or the language would abort it
/// because an allocation failed: by SIGABRT, SIGTRAP or SIGILL while `errno` is `ENOMEM`. A handler is no Swift: it
/// must not allocate.
///
/// - Parameter bytes: the message; they must stay valid until the process ends.
int clinux_answer_without_memory(int socket, const void *bytes, size_t length);

// Landlock: glibc 2.36 wraps none of its calls, and Debian 12's header ends at version 2.

/// The kernel's version of Landlock.
int clinux_landlock_version(void);

/// Makes a ruleset: `attributes` is `struct landlock_ruleset_attr`, of which `size` bytes are passed.
int clinux_landlock_create(const uint64_t *attributes, size_t size);

/// Allows `access` below an open folder.
int clinux_landlock_allow(int ruleset, int folder, uint64_t access);

/// Confines the calling thread permanently to the ruleset.
int clinux_landlock_restrict(int ruleset);

/// Enters new user, network, IPC and mount namespaces (`unshare` and its flags are GNU extensions).
int clinux_unshare(void);

/// Changes root permanently to another user, where the user namespace maps that user and root may change: else does
/// nothing.
void clinux_leave_root(unsigned nobody);

/// Enters a new user namespace.
int clinux_unshare_user(void);

/// Mounts an empty file system in memory.
int clinux_mount_empty(const char *path);

/// Shows `folder`, with what is mounted below it, at `path` too.
int clinux_bind(const char *folder, const char *path);

/// Makes everything mounted at and below `path` read-only, without programs, devices and set-user-id
/// (`mount_setattr` may only add to the flags of mounts from outside, which `mount` would have to repeat).
int clinux_seal_mounts(const char *path);

/// Drops all capabilities of the calling thread (glibc does not wrap `capset`).
int clinux_drop_capabilities(void);
