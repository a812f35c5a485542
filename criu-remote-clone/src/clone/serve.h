// `serve`: the source's end. Waits for one peer and clones a running process to it.
#ifndef CLONE_SERVE_H
#define CLONE_SERVE_H

#include "options.h"

// Returns the tool's exit code.
int serve_main(const struct options *options);

#endif
