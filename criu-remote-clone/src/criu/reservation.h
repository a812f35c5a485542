// The clone's memory, taken and touched while the original still runs, and given back just before
// CRIU takes it: so that a target without the memory says so before anything is frozen, and so that
// the restore doesn't pay for first touches, which are slow where a host takes free pages back from
// its virtual machines (see capture.c).
#ifndef CLONE_RESERVATION_H
#define CLONE_RESERVATION_H

#include <stdint.h>

#include "failure.h"

struct reservation;

// Begins in the background. The verdict on the offer has made sure that the memory is available.
struct reservation *reservation_start(uint64_t bytes, struct failure *failure);
// Waits until it is all there.
int reservation_ready(struct reservation *reservation, struct failure *failure);
// Gives it back; NULL is allowed.
void reservation_release(struct reservation *reservation);

#endif
