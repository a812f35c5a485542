// SPDX-License-Identifier: Apache-2.0
// Memory from the heap, or EXIT_SPACE.
#pragma once

#include "failure.h"

// Fills in the failure and returns -1.
int out_of_memory(struct failure *failure);

// Zeroed; NULL with a failure.
void *allocate(size_t size, struct failure *failure);

// Room for one more item in an array (`array` points to the pointer to it) that holds `count` and
// has always grown so: by doubling, from 8.
int grow(void *array, size_t count, size_t item_size, struct failure *failure);

// The same for serve and check: without memory the tool ends with EXIT_SPACE, its keeper cleans up,
// and the original runs on. Not for pull, whose fallback command is to run whatever happens.
void must_grow(void *array, size_t count, size_t item_size);
void *must_allocate(size_t size); // zeroed
char *must_copy(const char *text);
void must_put(const void *node); // what tsearch(3) returns

// A copy of the text at the end of an array of texts that grows so.
int texts_add(char ***texts, size_t *count, const char *text, struct failure *failure);
void texts_free(char **texts, size_t count);

// Sorts the items and keeps one of all that are equal; `unite` (NULL: nothing to do) is told what
// it stands for. Returns how many are left.
size_t sort_and_unite(void *items, size_t count, size_t item_size,
                      int (*compare)(const void *left, const void *right),
                      void (*unite)(void *kept, void *other));

// Whether the text is in the list, which ends with NULL.
bool is_one_of(const char *text, const char *const *list);

// For qsort(3) and bsearch(3) of pointers to texts; for tsearch(3) of texts.
int compare_text_pointers(const void *left, const void *right);
int compare_texts(const void *left, const void *right);
// For tdestroy(3), when somebody else frees what is in the tree.
void free_nothing(void *ignored);
