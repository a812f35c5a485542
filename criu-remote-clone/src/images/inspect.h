// What is in CRIU's images: for people, or as JSON.
#ifndef CLONE_INSPECT_H
#define CLONE_INSPECT_H

#include <stdbool.h>
#include <stdio.h>

#include "failure.h"

// Describes the images of a directory, as `criu dump --images-dir` writes them, or a single image.
// EXIT_USAGE when there is nothing to inspect, EXIT_IMAGE when an image is malformed.
int inspect_directory(const char *directory, bool json, FILE *out, struct failure *failure);

#endif
