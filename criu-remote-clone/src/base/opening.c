#include "opening.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

int open_resolving(int dir_fd, const char *path, int flags, uint64_t resolve) {
    struct open_how how = {.flags = (uint64_t)(flags | O_CLOEXEC), .resolve = resolve};
    return (int)syscall(SYS_openat2, dir_fd, path, &how, sizeof how);
}
