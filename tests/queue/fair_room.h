/* fair_room.h - what the tests of the queue between tenants share: jobs of
 * known cost on devices that only count the time. */
#ifndef TESTS_QUEUE_FAIR_ROOM_H
#define TESTS_QUEUE_FAIR_ROOM_H

#include "queue/batch.h"
#include "queue/tenant.h"
#include "tests/test.h"

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)

enum { TENANTS = 4 };

extern struct waiting fair_queue;
extern struct tenant fair_tenant[TENANTS];

/* The fixture. */
void fair_setup(void);

/* A job for device 0, of the tenant t or of none. Its cost stands in its
 * deadline. The caller has its one reference. */
struct job *fair_job(struct tenant *t, int64_t cost_ns);

/* Takes the next job for the device off the queue; NULL: there is none. */
struct job *fair_send(int device);

/* Returns a number from (0, 1], the next of a fixed sequence. */
double fair_random(void);

/* Returns a time of at least 1, exponentially distributed. */
int64_t fair_random_ns(double mean_ns);

#endif
