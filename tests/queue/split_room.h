/* split_room.h - what the tests of jobs in parts share: four devices that are
 * alike, and a product whose parts have a deed each. */
#ifndef TESTS_QUEUE_SPLIT_ROOM_H
#define TESTS_QUEUE_SPLIT_ROOM_H

#include "tests/queue/engine_room.h"

enum { ALIKE = 4, UNIT = 384, ROWS = ALIKE * UNIT };

extern const int64_t hour;

/* A product of rows x 1 and 1 x 1 whose units have the deeds in turn. */
struct job *tall_product(size_t rows, const enum fake_deed deed[ALIKE]);
struct job *product(const enum fake_deed deed[ALIKE]);

/* takes() sets the estimated time of such a job on the device; submit() first
 * sets an hour on all of them. */
void takes(int device, const struct job *j, int64_t ns);
void submit(struct job *j);

void start_alike(void);

/* A job that runs in parts with these deeds. */
struct job *in_parts(enum fake_deed a, enum fake_deed b, enum fake_deed c,
                     enum fake_deed d);

/* The worker that has the part with that number. */
struct worker *worker_of(int part);
bool is_at_work(int part);
bool all_idle(void);

#endif
