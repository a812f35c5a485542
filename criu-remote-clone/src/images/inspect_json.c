// Short ways to build and read the model's JSON.
#include "inspect_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void model_set(json_t *object, const char *key, json_t *value) {
    json_object_set_new(object, key, value);
}

void model_set_number(json_t *object, const char *key, uint64_t value) {
    model_set(object, key, json_integer((json_int_t)value));
}

void model_set_bool(json_t *object, const char *key, bool value) {
    model_set(object, key, json_boolean(value));
}

// The object or array of that key, made when it isn't there.
json_t *model_get_or_make(json_t *object, const char *key, json_type type) {
    json_t *value = json_object_get(object, key);
    if (value == NULL) {
        value = type == JSON_ARRAY ? json_array() : json_object();
        model_set(object, key, value);
    }
    return value;
}

const char *model_key(uint64_t id, char key[24]) {
    snprintf(key, 24, "%" PRIu64, id);
    return key;
}

json_t *model_by_id(const json_t *index, uint64_t id) {
    char key[24];
    return json_object_get(index, model_key(id, key));
}

static bool is_utf8(struct pb_view text) {
    json_t *string = json_stringn((const char *)text.bytes, text.length);
    json_decref(string);
    return string != NULL;
}

// Texts come from a stranger's process and may go to a terminal: control characters, those of
// Latin-1 (U+0080 to U+009F) too, and what isn't UTF-8 are written as \xNN.
json_t *model_text(struct pb_view text) {
    static const char digits[] = "0123456789abcdef";
    bool utf8 = text.length > 0 && is_utf8(text);
    char *escaped = malloc(4 * text.length + 1);
    size_t size = 0;
    for (size_t i = 0; escaped != NULL && i < text.length; i++) {
        uint8_t byte = text.bytes[i];
        bool latin_control = byte == 0xc2 && i + 1 < text.length && text.bytes[i + 1] < 0xa0;
        bool latin_rest = i > 0 && text.bytes[i - 1] == 0xc2 && byte < 0xa0;
        if (byte < 0x20 || byte == 0x7f ||
            (byte >= 0x80 && (!utf8 || latin_control || latin_rest))) {
            escaped[size++] = '\\';
            escaped[size++] = 'x';
            escaped[size++] = digits[byte >> 4];
            escaped[size++] = digits[byte & 15];
        } else {
            escaped[size++] = (char)byte;
        }
    }
    json_t *string = json_stringn(escaped != NULL ? escaped : "", size);
    free(escaped);
    return string;
}

void model_set_text(json_t *object, const char *key, struct pb_view text) {
    if (text.bytes != NULL)
        model_set(object, key, model_text(text));
}

const char *model_text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

uint64_t model_number_of(const json_t *object, const char *key) {
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

json_t *model_numbers(struct pb_view message, uint32_t number) {
    json_t *array = json_array();
    struct pb_field field;
    size_t position = 0;
    while (pb_next(message.bytes, message.length, &position, &field) > 0)
        if (field.number == number && field.wire_type == PB_VARINT)
            json_array_append_new(array, json_integer((json_int_t)field.value));
    return array;
}

void model_set_path(struct reading *reading, json_t *process, const char *key, uint64_t file_id) {
    json_t *path = json_object_get(model_by_id(reading->files, file_id), "path");
    if (path != NULL)
        json_object_set(process, key, path);
}
