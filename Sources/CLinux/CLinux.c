#include "CLinux.h"

enum { most_descriptors = 4 };

ssize_t clinux_send(int socket, const void *bytes, size_t length, const int *descriptors, int count, int flags) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * most_descriptors)] = {0};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count < 0 || count > most_descriptors) {
        errno = EINVAL;
        return -1;
    }
    if (count > 0) {
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int) * (size_t)count);
    }
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
