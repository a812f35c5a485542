// The shape of the image kinds that a plain dump makes: which fields their messages may have, of
// which type, how often and how long. What fits is read by CRIU exactly as we read it: no field is
// there twice (protobuf-c merges such messages, others take the last), none is unknown to us (a
// newer CRIU may act on it), no number is cut, no text ends early at a NUL.
#ifndef CLONE_IMAGE_SCHEMA_H
#define CLONE_IMAGE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "failure.h"
#include "image.h"

// Does a plain dump make images of this kind (image_open()'s)?
bool image_schema_knows(const char *kind);
// Checks an entry of an image of that kind; `first`: the image's first. EXIT_IMAGE names the image
// and the field.
int image_schema_check(const char *kind, bool first, struct pb_view entry, const char *name,
                       struct failure *failure);

#endif
