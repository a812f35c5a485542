// SPDX-License-Identifier: Apache-2.0
// What the target has of the file clone set, as far as we sent it.
#include <search.h>

#include "fileset_internal.h"
#include "memory.h"

static int compare_sent(const void *left, const void *right) {
    return strcmp(((const struct sent *)left)->path, ((const struct sent *)right)->path);
}

static struct sent *sent_at(const struct fileset *set, const char *path) {
    struct sent wanted = {.path = path};
    struct sent **found = tfind(&wanted, &set->sent_by_path, compare_sent);
    return found == NULL ? NULL : *found;
}

struct sent *sent_find(const struct fileset *set, const char *path) {
    struct sent *sent = sent_at(set, path);
    return sent == NULL || sent->gone ? NULL : sent;
}

static struct sent *sent_new(struct fileset *set, const char *path) {
    size_t length = strlen(path) + 1;
    struct sent *sent = must_allocate(sizeof *sent + length);
    sent->path = memcpy(sent + 1, path, length);
    must_put(tsearch(sent, &set->sent_by_path, compare_sent));
    must_grow(&set->sent, set->sent_count, sizeof *set->sent);
    set->sent[set->sent_count++] = sent;
    return sent;
}

void sent_lose_content(struct sent *sent) {
    if (sent->content != NULL && sent->content->sent_as == sent->path)
        sent->content->sent_as = NULL;
    sent->content = NULL;
}

struct sent *sent_record(struct fileset *set, const struct member *member) {
    struct sent *sent = sent_at(set, member->path);
    if (sent == NULL)
        sent = sent_new(set, member->path);
    if (sent->content != member->content)
        sent_lose_content(sent);
    free(sent->link_target);
    sent->link_target = member->link_target == NULL ? NULL : must_copy(member->link_target);
    sent->mode = member->mode;
    sent->uid = member->uid;
    sent->gid = member->gid;
    sent->mtime_ns = member->mtime_ns;
    sent->content = member->content;
    sent->version = member->content == NULL ? 0 : member->content->version;
    sent->gone = false;
    sent->listed = true;
    return sent;
}

static bool same_text(const char *left, const char *right) {
    return left == NULL || right == NULL ? left == right : strcmp(left, right) == 0;
}

bool sent_same_facts(const struct sent *sent, const struct member *member) {
    return sent->mode == member->mode && sent->uid == member->uid && sent->gid == member->gid &&
           sent->mtime_ns == member->mtime_ns && same_text(sent->link_target, member->link_target);
}

bool sent_has_content(const struct sent *sent, const struct content *content) {
    return sent != NULL && sent->content == content && sent->version == content->version;
}

void sent_free_all(struct fileset *set) {
    tdestroy(set->sent_by_path, free_nothing);
    for (size_t i = 0; i < set->sent_count; i++) {
        free(set->sent[i]->link_target);
        free(set->sent[i]);
    }
    free(set->sent);
}
