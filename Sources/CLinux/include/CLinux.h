// The Linux calls that Swift cannot make itself: variadic functions, macros, and calls that glibc does not wrap.
// Every function keeps the kernel's convention: -1 and errno on failure. No logic lives here.
#pragma once

#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
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
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/// `errno` of this thread (a macro in C).
static inline int clinux_errno(void) { return errno; }

/// `open` is variadic.
static inline int clinux_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

/// `openat` is variadic.
static inline int clinux_openat(int directory, const char *path, int flags, mode_t mode) {
    return openat(directory, path, flags, mode);
}

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
static inline int clinux_memfd_create(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

/// Forbids growing, shrinking and further seals.
static inline int clinux_seal_size(int descriptor) {
    return fcntl(descriptor, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
}

/// The seals on a memory file, or -1 for a file of another sort.
static inline int clinux_seals(int descriptor) { return fcntl(descriptor, F_GET_SEALS); }

// glibc 2.36 (Debian 12) has these two calls, but not in a header that Swift imports.
static inline int clinux_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }
static inline int clinux_pidfd_kill(int pidfd, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

/// `fork`: Swift marks it unavailable. Sound only in a process of one thread (see Rendering).
static inline pid_t clinux_fork(void) { return fork(); }

/// Spawns `path` with `control` as descriptor 3 and nothing above it; signal mask and dispositions at their defaults.
/// Returns 0 and the process id, or an errno value (`addclosefrom_np` and `sigfillset` do not import).
static inline int clinux_spawn_with_control(
    pid_t *pid, const char *path, int control, char *const arguments[], char *const environment[]
) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, control, 3);
    posix_spawn_file_actions_addclosefrom_np(&actions, 4);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    int result = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return result;
}

/// Sends one message and `count` (at most 4) descriptors (the CMSG macros do not import).
ssize_t clinux_send(int socket, const void *bytes, size_t length, const int *descriptors, int count, int flags);

/// Receives one message and at most 4 descriptors, close-on-exec. `*count` is how many arrived; `*truncated` tells
/// that bytes or descriptors did not fit (all that arrived are closed then).
ssize_t clinux_receive(
    int socket, void *bytes, size_t length, int descriptors[4], int *count, int *truncated, int flags);
