/* fakes.h - what stands in for the loop, the clock and the worker processes
 * while the engine is explored: nothing happens by itself, and the clock stands
 * still unless it is moved. */
#ifndef TESTS_MODEL_FAKES_H
#define TESTS_MODEL_FAKES_H

#include "queue/supervisor.h"

enum { FAKE_TIMERS = 64 };

struct loop {
	struct timer *timer[FAKE_TIMERS];	/* in the order of setting */
	int n_timers;
	struct post *later;
};

extern struct loop fake_loop;
extern int64_t fake_now_ns;
extern int fake_devices;
extern bool fake_refuses;	/* the next call cannot be sent */

/* Calls what loop_later() was given; false: there was nothing. */
bool fake_turn(void);

/* Fires timer i, whatever its time. */
void fake_fire(int i);

#endif
