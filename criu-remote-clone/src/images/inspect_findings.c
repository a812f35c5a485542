// What a clone will find other than the original had it.
#include "inspect_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static void find(struct reading *reading, const char *kind,
                                                       const char *format, ...) {
    json_t *finding = json_object();
    va_list arguments;
    va_start(arguments, format);
    model_set(finding, "kind", json_string(kind));
    model_set(finding, "text", json_vsprintf(format, arguments));
    va_end(arguments);
    json_array_append_new(model_get_or_make(reading->model, "findings", JSON_ARRAY), finding);
}

static void find_in_socket(struct reading *reading, const json_t *file, const json_t *inodes) {
    const char *kind = model_text_of(file, "kind"), *state = model_text_of(file, "state");
    bool listens = strcmp(state, "listening") == 0;
    bool connected = strcmp(state, "unknown") != 0 && strcmp(state, "closed") != 0 && !listens;
    if (strcmp(kind, "tcp") == 0 && listens)
        find(reading, "listens", "listens on %s again, in the target's network",
             model_text_of(file, "local"));
    else if (strcmp(kind, "tcp") == 0 && connected && reading->tcp_closed)
        find(reading, "connection_closed", "TCP connection %s to %s (%s) is closed",
             model_text_of(file, "local"), model_text_of(file, "remote"), state);
    else if (strcmp(kind, "unix") == 0 && listens)
        find(reading, "listens", "listens on the unix socket '%s' again",
             model_text_of(file, "name"));
    else if (strcmp(kind, "unix") == 0 && connected &&
             strcmp(model_text_of(file, "type"), "stream") == 0 &&
             model_by_id(inodes, model_number_of(file, "peer")) == NULL)
        find(reading, "peer_gone", "unix socket %" PRIu64 " is connected to nobody in the image",
             model_number_of(file, "inode"));
}

static void find_in_sockets(struct reading *reading) {
    json_t *inodes = json_object(), *file;
    size_t index;
    char key[24];
    json_array_foreach(json_object_get(reading->model, "sockets"), index, file) {
        if (json_object_get(file, "inode") != NULL)
            json_object_set(inodes, model_key(model_number_of(file, "inode"), key), file);
    }
    json_array_foreach(json_object_get(reading->model, "sockets"), index, file) {
        find_in_socket(reading, file, inodes);
    }
    json_decref(inodes);
}

static void find_in_files(struct reading *reading) {
    json_t *file;
    size_t index;
    json_array_foreach(json_object_get(reading->model, "files"), index, file) {
        json_t *ghost = json_object_get(file, "ghost");
        if (json_is_true(json_object_get(file, "deleted")))
            find(reading, "deleted_file",
                 "deleted %s %s with %" PRIu64 " bytes, from the image itself",
                 model_text_of(file, "kind"), model_text_of(file, "path"),
                 model_number_of(ghost, "size"));
    }
}

// Which ends of each pipe are in the image.
static void find_in_pipes(struct reading *reading) {
    json_t *ends = json_object(), *file;
    size_t index;
    char key[24];
    json_array_foreach(json_object_get(reading->model, "pipes"), index, file) {
        if (json_object_get(file, "pipe") != NULL)
            model_set_bool(
                model_get_or_make(ends, model_key(model_number_of(file, "pipe"), key), JSON_OBJECT),
                model_text_of(file, "end"), true);
    }
    json_array_foreach(json_object_get(reading->model, "pipes"), index, file) {
        json_t *both = model_by_id(ends, model_number_of(file, "pipe"));
        const char *end = model_text_of(file, "end");
        bool reads = strcmp(end, "reads") == 0;
        if (both != NULL && json_object_size(both) == 1 && strcmp(end, "both") != 0)
            find(reading, reads ? "pipe_ended" : "pipe_broken",
                 "pipe %" PRIu64 " %s nobody in the image: %s", model_number_of(file, "pipe"),
                 reads ? "is written by" : "is read by",
                 reads ? "end of file after its data" : "writing fails (EPIPE)");
    }
    json_decref(ends);
}

static void find_in_others(struct reading *reading) {
    json_t *file;
    size_t index;
    json_array_foreach(json_object_get(reading->model, "others"), index, file) {
        const char *kind = model_text_of(file, "kind");
        if (strcmp(kind, "inotify") == 0 && model_number_of(file, "watches") > 0)
            find(reading, "watches", "%" PRIu64 " inotify watches, which a pull refuses",
                 model_number_of(file, "watches"));
        else if (strcmp(kind, "terminal") == 0)
            find(reading, "terminal", "the terminal of the pull in place of %s",
                 model_text_of(file, "path"));
    }
}

static void find_in_processes(struct reading *reading) {
    json_t *process, *name;
    size_t i, k;
    json_array_foreach(json_object_get(reading->model, "processes"), i, process) {
        json_array_foreach(json_object_get(process, "own_namespaces"), k, name) {
            if (strcmp(json_string_value(name), "time") != 0)
                find(reading, "namespace",
                     "process %" PRIu64 " has a %s namespace of its own, which a pull refuses",
                     model_number_of(process, "pid"), json_string_value(name));
        }
    }
}

int model_read_locks(struct reading *reading, const struct opened *opened, struct pb_view entry,
                     bool first) {
    enum { LOCK_PID = 3, LOCK_FD = 4 };
    (void)opened;
    (void)first;
    find(reading, "lock", "the lock on descriptor %" PRIu64 " of process %" PRIu64,
         pb_number(entry, LOCK_FD, 0), pb_number(entry, LOCK_PID, 0));
    return 0;
}

void model_find(struct reading *reading) {
    find_in_sockets(reading);
    find_in_pipes(reading);
    find_in_files(reading);
    find_in_others(reading);
    find_in_processes(reading);
}
