// The facts of a set of images as one JSON value, which both outputs of `inspect` come from.
#ifndef CLONE_INSPECT_MODEL_H
#define CLONE_INSPECT_MODEL_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "failure.h"

struct inspect_image {
    const char *name;
    const uint8_t *bytes;
    size_t length;
    uint64_t file_bytes; // the file's size: of memory and ghost files only the beginning is loaded
};

// NULL for malformed images. Texts from the images hold no control characters.
json_t *inspect_model(const struct inspect_image *images, size_t count, struct failure *failure);

// The model for people.
void inspect_text(const json_t *model, FILE *out);

#endif
