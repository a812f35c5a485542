// SPDX-License-Identifier: Apache-2.0
// Allocation that fails with EXIT_SPACE, or ends the tool with it.
#include "memory.h"

int out_of_memory(struct failure *failure) {
    return fail(failure, EXIT_SPACE, "out of memory");
}

void *allocate(size_t size, struct failure *failure) {
    void *memory = calloc(1, size);
    if (memory == NULL)
        out_of_memory(failure);
    return memory;
}

int grow(void *array, size_t count, size_t item_size, struct failure *failure) {
    void **items = array;
    if (count != 0 && (count < 8 || (count & (count - 1)) != 0))
        return 0;
    void *larger = reallocarray(*items, count == 0 ? 8 : 2 * count, item_size);
    if (larger == NULL)
        return out_of_memory(failure);
    *items = larger;
    return 0;
}

static _Noreturn void end_without_memory(void) {
    fputs("criu-remote-clone: out of memory\n", stderr);
    exit(EXIT_SPACE);
}

void must_grow(void *array, size_t count, size_t item_size) {
    struct failure ignored;
    if (grow(array, count, item_size, &ignored) < 0)
        end_without_memory();
}

void *must_allocate(size_t size) {
    void *memory = calloc(1, size);
    if (memory == NULL)
        end_without_memory();
    return memory;
}

void must_put(const void *node) {
    if (node == NULL)
        end_without_memory();
}

char *must_copy(const char *text) {
    char *copy = strdup(text);
    if (copy == NULL)
        end_without_memory();
    return copy;
}

int texts_add(char ***texts, size_t *count, const char *text, struct failure *failure) {
    if (grow(texts, *count, sizeof **texts, failure) < 0)
        return -1;
    char *copy = strdup(text);
    if (copy == NULL)
        return out_of_memory(failure);
    (*texts)[(*count)++] = copy;
    return 0;
}

void texts_free(char **texts, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

size_t sort_and_unite(void *items, size_t count, size_t item_size,
                      int (*compare)(const void *left, const void *right),
                      void (*unite)(void *kept, void *other)) {
    char *item = items, *kept = items;
    if (count == 0)
        return 0;
    qsort(items, count, item_size, compare);
    for (size_t i = 1; i < count; i++) {
        item += item_size;
        if (compare(kept, item) != 0)
            memmove(kept += item_size, item, item_size);
        else if (unite != NULL)
            unite(kept, item);
    }
    return (size_t)(kept - (char *)items) / item_size + 1;
}

bool is_one_of(const char *text, const char *const *list) {
    while (*list != NULL && strcmp(text, *list) != 0)
        list++;
    return *list != NULL;
}

int compare_text_pointers(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

int compare_texts(const void *left, const void *right) {
    return strcmp(left, right);
}

void free_nothing(void *ignored) {
    (void)ignored;
}
