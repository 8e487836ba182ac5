#define _GNU_SOURCE 1
#include "CLinux.h"

#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/xattr.h>

char **clinux_environment(void) { return environ; }

static int argument_count;
static char **arguments;

// glibc hands the program's arguments to every constructor.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
    argument_count = count;
    arguments = values;
}

// The functions behind `CommandLine`. Swift's own search the list of all mappings of the process for the arguments,
// which takes half a millisecond where many libraries are loaded. The linker takes these instead.
char **_swift_stdlib_getUnsafeArgvArgc(int *count) {
    *count = argument_count;
    return arguments;
}

void _swift_stdlib_overrideUnsafeArgvArgc(char **values, int count) { keep_arguments(count, values); }

int clinux_populate(void *address, size_t byte_count) { return madvise(address, byte_count, MADV_POPULATE_WRITE); }

int clinux_map_memory_from(int byte_count) { return mallopt(M_MMAP_THRESHOLD, byte_count); }

int clinux_memfd_create(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

int clinux_seal_size(int descriptor) {
    return fcntl(descriptor, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK);
}

int clinux_seal_content(int descriptor) { return fcntl(descriptor, F_ADD_SEALS, F_SEAL_WRITE); }

int clinux_seal_all(int descriptor) {
    return fcntl(descriptor, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
}

int clinux_is_all_sealed(int descriptor) {
    int seals = fcntl(descriptor, F_GET_SEALS), all = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK;
    return seals >= 0 && (seals & all) == all;
}

int clinux_try_read_lease(int descriptor) {
    // A process that opens the file for writing meanwhile waits, and the holder gets a signal: SIGIO would end the
    // process.
    if (fcntl(descriptor, F_SETSIG, SIGURG) < 0 || fcntl(descriptor, F_SETLEASE, F_RDLCK) < 0) return -1;
    return fcntl(descriptor, F_SETLEASE, F_UNLCK);
}

int clinux_has_attribute(const char *path, const char *name, const char *value) {
    char found[16];
    ssize_t length = getxattr(path, name, found, sizeof found);
    return length >= 0 && (size_t)length == strlen(value) && memcmp(found, value, (size_t)length) == 0;
}

int clinux_openat_beneath(int directory, const char *path, int flags) {
    struct open_how how = {
        .flags = (unsigned)flags | O_CLOEXEC, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

int clinux_openat_without_links(int directory, const char *path, int flags, mode_t mode) {
    struct open_how how = {
        .flags = (unsigned)flags | O_CLOEXEC, .mode = flags & O_CREAT ? mode : 0,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

int clinux_start_writing(int descriptor, int64_t offset, int64_t byte_count) {
    return sync_file_range(descriptor, offset, byte_count, SYNC_FILE_RANGE_WRITE);
}

int clinux_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int clinux_pidfd_kill(int pidfd, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

int clinux_spawn_with_control(
    pid_t *pid, const char *path, int control, int keeps_errors, char *const arguments[], char *const environment[]
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
    if (!keeps_errors) posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
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

int clinux_close_from(int first) { return close_range((unsigned)first, ~0U, 0); }

void clinux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int clinux_open_unnamed(const char *folder) { return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); }

int clinux_is_sealed(int descriptor) {
    int seals = fcntl(descriptor, F_GET_SEALS), size = F_SEAL_GROW | F_SEAL_SHRINK;
    return seals >= 0 && (seals & size) == size;
}

enum { most_descriptors = 4 };

ssize_t clinux_send(int socket, const void *bytes, size_t length, const int *descriptors, int count, int flags) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * most_descriptors)] = {0};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count < 0 || count > most_descriptors) {
        errno = EINVAL;
        return -1;
    }
    // Where a child sends, only `sendto` is allowed, which carries no descriptors.
    if (count == 0) return send(socket, bytes, length, flags | MSG_NOSIGNAL);
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
    memcpy(CMSG_DATA(header), descriptors, sizeof(int) * (size_t)count);
    return sendmsg(socket, &message, flags | MSG_NOSIGNAL);
}

ssize_t clinux_receive(
    int socket, void *bytes, size_t length, int descriptors[4], int *count, int *truncated, int flags
) {
    struct iovec part = {.iov_base = bytes, .iov_len = length};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * most_descriptors)];
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    *count = 0;
    *truncated = 0;
    ssize_t received = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
    if (received < 0) return received;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int arrived = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (int i = 0; i < arrived; i++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + sizeof(int) * (size_t)i, sizeof(int));
            if (*count < most_descriptors) descriptors[(*count)++] = descriptor;
            else close(descriptor);
        }
    }
    if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
        *truncated = 1;
        while (*count > 0) close(descriptors[--*count]);
    }
    return received;
}

int clinux_accept(int socket) { return accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int clinux_peer(int socket, pid_t *process, uid_t *user) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
    *process = peer.pid;
    *user = peer.uid;
    return 0;
}

int clinux_load_call_filter(const void *instructions, unsigned short count) {
    struct sock_fprog program = {.len = count, .filter = (struct sock_filter *)instructions};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static volatile int32_t *forbidden_call;

// SYS_SECCOMP of the kernel's siginfo.h, which conflicts with glibc's.
enum { stopped_by_filter = 1 };

// A system call without errno and without the procedure linkage table: an attacker in the process may have changed
// both.
static long bare_call(long number, long a, long b, long c) {
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
#else
    return syscall(number, a, b, c);
#endif
}

// Runs at the very call that the filter stopped, in its thread, and never returns: the kernel has set the disposition
// back to the standard one (SA_RESETHAND), so that the process dies of the next SIGSYS. It makes only calls that every
// filter allows.
static void note_forbidden_call(int number, siginfo_t *information, void *context) {
    (void)context;
    if (information->si_code == stopped_by_filter) *forbidden_call = information->si_syscall;
    long process = bare_call(SYS_getpid, 0, 0, 0), thread = bare_call(SYS_gettid, 0, 0, 0);
    for (;;) bare_call(SYS_tgkill, process, thread, number);
}

int clinux_note_forbidden_calls(volatile int32_t *place) {
    forbidden_call = place;
    struct sigaction action = {
        .sa_sigaction = note_forbidden_call, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESETHAND};
    // A fault within the handler meets a blocked signal, which ends the process.
    sigfillset(&action.sa_mask);
    sigdelset(&action.sa_mask, SIGSYS);
    return sigaction(SIGSYS, &action, NULL);
}

static struct {
    int socket;
    const void *bytes;
    size_t length;
} last_words;

static void end_without_memory(int number) {
    if (errno == ENOMEM && clinux_send(last_words.socket, last_words.bytes, last_words.length, NULL, 0, 0) >= 0) _exit(0);
    // The signal has its default action again, which ends the process as without a handler.
    raise(number);
}

int clinux_answer_without_memory(int socket, const void *bytes, size_t length) {
    last_words.socket = socket;
    last_words.bytes = bytes;
    last_words.length = length;
    struct sigaction action = {.sa_handler = end_without_memory, .sa_flags = SA_RESETHAND};
    if (sigaction(SIGABRT, &action, NULL) < 0 || sigaction(SIGTRAP, &action, NULL) < 0) return -1;
    return sigaction(SIGILL, &action, NULL);
}

int clinux_landlock_version(void) {
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

int clinux_landlock_create(const uint64_t *attributes, size_t size) {
    return (int)syscall(SYS_landlock_create_ruleset, attributes, size, 0);
}

int clinux_landlock_allow(int ruleset, int folder, uint64_t access) {
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = folder};
    return (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

int clinux_landlock_restrict(int ruleset) { return (int)syscall(SYS_landlock_restrict_self, ruleset, 0); }

int clinux_unshare(void) { return unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS); }

void clinux_leave_root(unsigned nobody) {
    if (getuid() != 0) return;
    // Direct system calls: glibc's functions would change all threads.
    syscall(SYS_setgroups, 0, NULL);
    syscall(SYS_setresgid, nobody, nobody, nobody);
    syscall(SYS_setresuid, nobody, nobody, nobody);
}

int clinux_unshare_user(void) { return unshare(CLONE_NEWUSER); }

int clinux_mount_empty(const char *path) {
    return mount("none", path, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=64k,mode=0755");
}

int clinux_bind(const char *folder, const char *path) { return mount(folder, path, NULL, MS_BIND | MS_REC, NULL); }

int clinux_seal_mounts(const char *path) {
    struct mount_attr attributes = {
        .attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC};
    return mount_setattr(AT_FDCWD, path, AT_RECURSIVE, &attributes, sizeof attributes);
}

int clinux_drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return (int)syscall(SYS_capset, &header, none);
}
