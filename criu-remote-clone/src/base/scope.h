// SPDX-License-Identifier: Apache-2.0
// What a function gives back at its end by itself, whichever way it ends; errno stays as it was.
//
//     AUTO_FREE char *text = procfs_read(NULL, "/proc/self/status");
//     AUTO_CLOSE int file = open(path, O_RDONLY | O_CLOEXEC);
//
// What is to outlive the function is taken out by TAKE().
#pragma once

#include <dirent.h>

#include "descriptors.h"

#define AUTO_FREE __attribute__((cleanup(scope_free)))   // a pointer of malloc(3)'s, or NULL
#define AUTO_CLOSE __attribute__((cleanup(scope_close))) // a descriptor, or < 0
#define AUTO_FCLOSE __attribute__((cleanup(scope_fclose)))
#define AUTO_CLOSEDIR __attribute__((cleanup(scope_closedir)))

// The value of such a variable, which has `nothing` from now on: NULL, or -1.
#define TAKE(variable, nothing)                                                                    \
    __extension__({                                                                                \
        __typeof__(variable) taken_ = (variable);                                                  \
        (variable) = (nothing);                                                                    \
        taken_;                                                                                    \
    })

static inline void scope_free(void *pointer) {
    free(*(void **)pointer); // which leaves errno alone (glibc since 2.33)
}

static inline void scope_close(const int *fd) {
    close_fd(*fd);
}

static inline void scope_fclose(FILE *const *file) {
    if (*file != NULL)
        fclose(*file);
}

static inline void scope_closedir(DIR *const *directory) {
    if (*directory != NULL)
        closedir(*directory);
}
