// SPDX-License-Identifier: Apache-2.0
// Values out of a JSON file, with one clear line about the first that is wrong: EXIT_CONFIG.
// `where` names the object for it.
#pragma once

#include <jansson.h>

#include "failure.h"

// That it is an object, with no other keys than `known` (up to NULL).
int check_keys(const json_t *object, const char *where, const char *const *known,
               struct failure *failure);

const char *text_at(const json_t *object, const char *where, const char *key,
                    struct failure *failure);

// The number of a word in a list (up to NULL); without one the first.
int word_at(const json_t *object, const char *where, const char *key, const char *const *words,
            struct failure *failure);

int number_at(const json_t *object, const char *where, const char *key, uint32_t least,
              uint32_t most, uint32_t otherwise, uint32_t *number, struct failure *failure);

const json_t *list_at(const json_t *object, const char *where, const char *key, size_t least,
                      size_t most, struct failure *failure);

// A file's whole content; the caller says whose file it was, by name_file(). NULL: it can't be
// read, or isn't JSON.
json_t *json_of_file(const char *path, struct failure *failure);

// The same of a text.
json_t *json_of_text(const char *text, size_t length, struct failure *failure);

// Puts the file's name in front of what is wrong.
void name_file(const char *path, struct failure *failure);
