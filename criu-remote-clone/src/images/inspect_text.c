// The model of images for people.
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "inspect_model.h"

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static uint64_t number_of(const json_t *object, const char *key) {
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static bool has(const json_t *object, const char *key) {
    return json_object_get(object, key) != NULL;
}

static bool is_true(const json_t *object, const char *key) {
    return json_is_true(json_object_get(object, key));
}

static void print_bytes(uint64_t bytes, FILE *out) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1024 && unit + 1 < sizeof units / sizeof units[0]; unit++)
        value /= 1024;
    fprintf(out, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

static void print_images(const json_t *model, FILE *out) {
    const json_t *images = json_object_get(model, "images");
    const json_t *dump = json_object_get(model, "dump");
    fprintf(out, "%" PRIu64 " images, ", number_of(images, "count"));
    print_bytes(number_of(images, "bytes"), out);
    fputs(", of which memory ", out);
    print_bytes(number_of(images, "memory_bytes"), out);
    fputs(" (shared ", out);
    print_bytes(number_of(images, "shared_memory_bytes"), out);
    putc(')', out);
    putc('\n', out);
    if (has(dump, "image_format"))
        fprintf(out,
                "CRIU image format %s; TCP connections %s; network lock %s; "
                "security module %s\n",
                text_of(dump, "image_format"), is_true(dump, "tcp_closed") ? "closed" : "kept",
                text_of(dump, "network_lock"), text_of(dump, "security_module"));
    if (has(dump, "frozen_micros"))
        fprintf(out, "frozen for %.1f ms, of which dumping memory %.1f ms\n",
                (double)number_of(dump, "frozen_micros") / 1e3,
                (double)number_of(dump, "memory_micros") / 1e3);
}

static void print_numbers(const json_t *array, const char *none, FILE *out) {
    json_t *value;
    size_t index;
    if (json_array_size(array) == 0)
        fputs(none, out);
    json_array_foreach(array, index, value) {
        fprintf(out, "%s%" JSON_INTEGER_FORMAT, index > 0 ? " " : "", json_integer_value(value));
    }
}

// One number if the four (real, effective, saved, file system) are the same.
static void print_ids(const json_t *ids, FILE *out) {
    bool same = true;
    for (size_t i = 1; i < json_array_size(ids); i++)
        same = same && json_equal(json_array_get(ids, i), json_array_get(ids, 0));
    if (same)
        fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(json_array_get(ids, 0)));
    else
        print_numbers(ids, "", out);
}

static void print_credentials(const json_t *credentials, FILE *out) {
    fputs("  credentials    user ", out);
    print_ids(json_object_get(credentials, "users"), out);
    fputs(", group ", out);
    print_ids(json_object_get(credentials, "groups"), out);
    fputs(", supplementary ", out);
    print_numbers(json_object_get(credentials, "supplementary_groups"), "none", out);
    fprintf(out, "; capabilities %s%s; system-call filter %s", text_of(credentials, "capabilities"),
            is_true(credentials, "no_new_privileges") ? ", no new privileges" : "",
            text_of(credentials, "system_call_filter"));
    if (has(credentials, "security_label"))
        fprintf(out, "; label %s", text_of(credentials, "security_label"));
    putc('\n', out);
}

static void print_memory(const json_t *memory, FILE *out) {
    const char *name;
    json_t *kind;
    fputs("  memory         ", out);
    print_bytes(number_of(memory, "image_bytes"), out);
    fputs(" in the image, ", out);
    print_bytes(number_of(memory, "mapped_bytes"), out);
    fputs(" mapped\n", out);
    json_object_foreach(json_object_get(memory, "kinds"), name, kind) {
        fprintf(out, "    %-12s ", name);
        print_bytes(number_of(kind, "image_bytes"), out);
        fputs(" of ", out);
        print_bytes(number_of(kind, "mapped_bytes"), out);
        putc('\n', out);
    }
}

static void print_threads(const json_t *threads, FILE *out) {
    json_t *thread;
    size_t index;
    if (json_array_size(threads) < 2)
        return;
    fputs("  threads       ", out);
    json_array_foreach(threads, index, thread) {
        fprintf(out, "%s %" PRIu64 " %s", index > 0 ? "," : "", number_of(thread, "id"),
                text_of(thread, "name"));
    }
    putc('\n', out);
}

static void print_line(const json_t *object, const char *key, const char *label, FILE *out) {
    if (has(object, key))
        fprintf(out, "  %-14s %s\n", label, text_of(object, key));
}

static void print_process(const json_t *process, FILE *out) {
    const json_t *own = json_object_get(process, "own_namespaces");
    fprintf(out, "\nPROCESS %" PRIu64 " %s", number_of(process, "pid"),
            text_of(process, "command"));
    if (has(process, "state"))
        fprintf(out, " (%s)", text_of(process, "state"));
    if (has(process, "session"))
        fprintf(out, ": parent %" PRIu64 ", group %" PRIu64 ", session %" PRIu64,
                number_of(process, "parent"), number_of(process, "group"),
                number_of(process, "session"));
    putc('\n', out);
    print_line(process, "executable", "executable", out);
    print_line(process, "working_directory", "directory", out);
    if (strcmp(text_of(process, "root_directory"), "/") != 0)
        print_line(process, "root_directory", "root directory", out);
    if (has(process, "credentials"))
        print_credentials(json_object_get(process, "credentials"), out);
    if (has(process, "memory"))
        print_memory(json_object_get(process, "memory"), out);
    print_threads(json_object_get(process, "threads"), out);
    for (size_t i = 0; i < json_array_size(own); i++)
        fprintf(out, "  namespace      %s of its own\n", json_string_value(json_array_get(own, i)));
}

// "17:3 17:4", by process.
static void print_descriptors(const json_t *file, FILE *out) {
    json_t *descriptor;
    size_t index;
    json_array_foreach(json_object_get(file, "descriptors"), index, descriptor) {
        fprintf(out, "%s%" PRIu64 ":%" PRIu64, index > 0 ? " " : "", number_of(descriptor, "pid"),
                number_of(descriptor, "fd"));
    }
    if (!has(file, "descriptors"))
        fputs(is_true(file, "mapped") ? "mapped" : "-", out);
}

static void print_flags(const json_t *flags, FILE *out) {
    json_t *flag;
    size_t index;
    json_array_foreach(flags, index, flag) {
        fprintf(out, "%s%s", index > 0 ? "|" : " ", json_string_value(flag));
    }
}

static void print_position(const json_t *file, FILE *out) {
    if (strcmp(text_of(file, "kind"), "file") != 0)
        return;
    fprintf(out, " at %" PRIu64, number_of(file, "position"));
    if (has(file, "size"))
        fprintf(out, " of %" PRIu64, number_of(file, "size"));
}

static void print_file(const json_t *file, FILE *out) {
    fputs("  ", out);
    print_descriptors(file, out);
    fprintf(out, "  %s", text_of(file, "kind"));
    if (has(file, "path"))
        fprintf(out, " %s", text_of(file, "path"));
    if (is_true(file, "deleted"))
        fputs(" (deleted)", out);
    print_flags(json_object_get(file, "flags"), out);
    print_position(file, out);
    putc('\n', out);
}

static void print_socket(const json_t *socket, FILE *out) {
    static const char *const keys[] = {"type", "state", "local", "remote", "name"};
    fputs("  ", out);
    print_descriptors(socket, out);
    fprintf(out, "  %s", text_of(socket, "kind"));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (has(socket, keys[i]))
            fprintf(out, "%s%s", strcmp(keys[i], "remote") == 0 ? " to " : " ",
                    text_of(socket, keys[i]));
    if (has(socket, "inode"))
        fprintf(out, " inode %" PRIu64, number_of(socket, "inode"));
    if (has(socket, "peer"))
        fprintf(out, " peer %" PRIu64, number_of(socket, "peer"));
    putc('\n', out);
}

static void print_pipe(const json_t *pipe, FILE *out) {
    fputs("  ", out);
    print_descriptors(pipe, out);
    fprintf(out, "  %s", text_of(pipe, "kind"));
    if (has(pipe, "pipe"))
        fprintf(out, " %" PRIu64 " %s", number_of(pipe, "pipe"), text_of(pipe, "end"));
    if (has(pipe, "path"))
        fprintf(out, " %s", text_of(pipe, "path"));
    fprintf(out, ", %" PRIu64 " bytes in it\n", number_of(pipe, "buffered_bytes"));
}

static void print_finding(const json_t *finding, FILE *out) {
    fprintf(out, "  %s\n", text_of(finding, "text"));
}

static void print_list(const json_t *model, const char *key, const char *title,
                       void (*print)(const json_t *element, FILE *out), FILE *out) {
    json_t *list = json_object_get(model, key), *element;
    size_t index;
    if (json_array_size(list) == 0)
        return;
    fprintf(out, "\n%s\n", title);
    json_array_foreach(list, index, element) {
        print(element, out);
    }
}

void inspect_text(const json_t *model, FILE *out) {
    json_t *process;
    size_t index;
    print_images(model, out);
    json_array_foreach(json_object_get(model, "processes"), index, process) {
        print_process(process, out);
    }
    print_list(model, "files", "FILES (process:descriptor)", print_file, out);
    print_list(model, "sockets", "SOCKETS", print_socket, out);
    print_list(model, "pipes", "PIPES", print_pipe, out);
    print_list(model, "others", "OTHER DESCRIPTORS", print_file, out);
    print_list(model, "findings", "THE CLONE WILL FIND", print_finding, out);
}
