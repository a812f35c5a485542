// A lazy restore, in place of replay's service: the images are kept on pull's RAM disk until they
// are whole; CRIU then restores everything but the memory, which its page daemon fills in while the
// clone runs.
//
// A page that nobody fills in any more reads as zeros once the last descriptor of its process's
// userfaultfd(2) is closed. So CRIU hands these over to the daemon through us, and we keep our own:
// when the daemon dies early, who touches a missing page stays stopped until the clone is killed.
// When we die, the daemon still has its own, and the keeper ends it after the clone.
#ifndef CLONE_LAZY_H
#define CLONE_LAZY_H

#include <stddef.h>
#include <stdint.h>

#include "criu.h"
#include "failure.h"
#include "identity.h"
#include "keeper.h"
#include "ramdisk.h"
#include "replay.h"

struct lazy;

// Whether this host, and this CRIU, can: EXIT_UNABLE with what is missing and what to do.
int lazy_usable(const struct criu *criu, const struct identity *identity, struct failure *failure);

// On a RAM disk opened with RAMDISK_HUGE_WITHIN_SIZE, which must stay open. NULL on failure, such
// as lazy_usable()'s, as far as that is known at once.
struct lazy *lazy_open(const struct ramdisk *disk, const struct criu *criu,
                       const struct identity *identity, struct failure *failure);
// To be called once, before the freeze: fails if CRIU can't, after all. Takes the memory for so
// many bytes of memory images: EXIT_SPACE if it isn't there.
int lazy_reserve(struct lazy *lazy, uint64_t bytes, struct failure *failure);

// A memory image of exactly `bytes`, written in pieces, one image after the other.
int lazy_begin(struct lazy *lazy, const char *name, uint64_t bytes, struct failure *failure);
int lazy_write(struct lazy *lazy, const void *bytes, size_t length, struct failure *failure);
int lazy_end(struct lazy *lazy, struct failure *failure);
// Writes all of replay's small images to the RAM disk.
int lazy_store(struct lazy *lazy, const struct replay *replay, struct failure *failure);

// The small images are there: starts the page daemon, which the keeper ends, should we be killed,
// after all that is put on its list later.
int lazy_start(struct lazy *lazy, const struct criu *criu, const struct identity *identity,
               struct keeper *keeper, struct failure *failure);
// The memory images are there, too. Returns when the daemon is ready, and CRIU may be started: a
// thread of ours passes on what CRIU tells the daemon, and kills `clone` (a pidfd, duplicated) if
// the daemon fails.
int lazy_serve(struct lazy *lazy, int clone, int64_t deadline_ns, struct failure *failure);
// Waits at most so long until a CRIU that was started has come to us, or has ended
// (replay_await_criu()).
void lazy_await_criu(struct lazy *lazy, int ended_fd, int milliseconds);

// CRIU has restored the clone, which is about to run. -1 when the daemon has failed already: it
// must not.
int lazy_let_run(struct lazy *lazy, struct failure *failure);
// After a failure of the restore: the daemon's reason if the clone was killed for it.
void lazy_explain(const struct lazy *lazy, struct failure *failure);

// Readable when all pages are in and the images are gone, or the daemon has failed.
int lazy_done_fd(const struct lazy *lazy);
// Then: when all pages were in (now_ns()), or -1: the daemon has failed, and the clone was killed.
int64_t lazy_result(const struct lazy *lazy, struct failure *failure);

// Ends the daemon: the clone's processes must have ended, or all pages be in. Removes the images.
void lazy_close(struct lazy *lazy); // NULL is allowed

#endif
