// SPDX-License-Identifier: Apache-2.0
// The shape of an image's entries: which fields a message may have (../proto/criu_image.proto), of
// which type, how often and how long. What fits is read by CRIU exactly as we read it, unpacked:
// no field is there twice (protobuf-c merges such messages, others take the last), none is unknown
// to us (a newer CRIU may act on it), no number is cut, no text ends early at a NUL.
#pragma once

#include <protobuf-c/protobuf-c.h>

#include "failure.h"
#include "image.h"

// EXIT_IMAGE names the image and the field.
int image_schema_check(const ProtobufCMessageDescriptor *message, struct pb_view entry,
                       const char *image, struct failure *failure);
