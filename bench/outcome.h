/* outcome.h - how a run of linalgd-bench ends: which measurements failed, and
 * whether anybody reads the results. */
#ifndef BENCH_OUTCOME_H
#define BENCH_OUTCOME_H

#include <stdbool.h>

#include "base/err.h"

/* Reports a measurement that failed for that reason, without which the run goes
 * on. The program's status is then 1 unless the problem is only too large for
 * the device. what: the measurement's name; "" if the reason tells it. */
void outcome_failed(const char *what, const struct err *e);

/* Writes out what was printed. Returns whether that cannot be written, as when
 * the reader of a pipe has ended: further measurements would be in vain. */
bool outcome_unread(void);

/* Returns the program's status if all went well otherwise. */
int outcome_status(void);

#endif
