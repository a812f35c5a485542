// SPDX-License-Identifier: Apache-2.0
#include "values.h"

#include <sys/stat.h>

// "a", "b", "c", as much as there is room for.
static const char *list_of(const char *const *words, char *list, size_t size) {
    size_t length = 0;
    list[0] = '\0';
    for (int i = 0; words[i] != NULL && length < size; i++)
        length +=
            (size_t)snprintf(list + length, size - length, "%s\"%s\"", i > 0 ? ", " : "", words[i]);
    return list;
}

int check_keys(const json_t *object, const char *where, const char *const *known,
               struct failure *failure) {
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return fail(failure, EXIT_CONFIG, "%s isn't an object", where);
    json_object_foreach((json_t *)(uintptr_t)object, key, value) {
        const char *const *name = known;
        while (*name != NULL && strcmp(*name, key) != 0)
            name++;
        char list[256];
        if (*name == NULL)
            return fail(failure, EXIT_CONFIG, "%s knows no \"%.64s\", but %s", where, key,
                        list_of(known, list, sizeof list));
    }
    return 0;
}

const char *text_at(const json_t *object, const char *where, const char *key,
                    struct failure *failure) {
    const char *text = json_string_value(json_object_get(object, key));
    if (text == NULL)
        fail(failure, EXIT_CONFIG, "%s needs a text \"%s\"", where, key);
    return text;
}

int word_at(const json_t *object, const char *where, const char *key, const char *const *words,
            struct failure *failure) {
    const json_t *value = json_object_get(object, key);
    if (value == NULL)
        return 0;
    for (int i = 0; words[i] != NULL; i++)
        if (json_is_string(value) && strcmp(json_string_value(value), words[i]) == 0)
            return i;
    char list[256];
    return fail(failure, EXIT_CONFIG, "%s: \"%s\" is one of %s", where, key,
                list_of(words, list, sizeof list));
}

int number_at(const json_t *object, const char *where, const char *key, uint32_t least,
              uint32_t most, uint32_t otherwise, uint32_t *number, struct failure *failure) {
    const json_t *value = json_object_get(object, key);
    *number = otherwise;
    if (value == NULL)
        return 0;
    json_int_t given = json_integer_value(value);
    if (!json_is_integer(value) || given < least || given > most)
        return fail(failure, EXIT_CONFIG, "%s: \"%s\" is a whole number from %u to %u", where, key,
                    least, most);
    *number = (uint32_t)given;
    return 0;
}

const json_t *list_at(const json_t *object, const char *where, const char *key, size_t least,
                      size_t most, struct failure *failure) {
    const json_t *list = json_object_get(object, key);
    if (json_is_array(list) && json_array_size(list) >= least && json_array_size(list) <= most)
        return list;
    fail(failure, EXIT_CONFIG, "%s needs a list \"%s\" of %zu to %zu", where, key, least, most);
    return NULL;
}

static json_t *unless_null(json_t *root, const json_error_t *error, struct failure *failure) {
    if (root == NULL)
        fail(failure, EXIT_CONFIG, "not JSON: line %d: %s", error->line, error->text);
    return root;
}

json_t *json_of_file(const char *path, struct failure *failure) {
    struct stat what;
    json_error_t error;
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        fail(failure, EXIT_CONFIG, "can't be opened: %s; %s", strerror(errno),
             errno == EACCES ? "run clone-switch as a user that may read it"
                             : "give the path of a JSON file");
        return NULL;
    }
    json_t *root = NULL;
    if (fstat(fileno(file), &what) == 0 && S_ISDIR(what.st_mode)) // fopen(3) opens it nevertheless
        fail(failure, EXIT_CONFIG, "can't be read: %s; give the path of a JSON file",
             strerror(EISDIR));
    else
        root = unless_null(json_loadf(file, JSON_REJECT_DUPLICATES, &error), &error, failure);
    fclose(file);
    return root;
}

json_t *json_of_text(const char *text, size_t length, struct failure *failure) {
    json_error_t error;
    return unless_null(json_loadb(text, length, JSON_REJECT_DUPLICATES, &error), &error, failure);
}

void name_file(const char *path, struct failure *failure) {
    char text[sizeof failure->text];
    strcpy(text, failure->text);
    fail(failure, failure->code, "%s: %.900s", path, text);
}
