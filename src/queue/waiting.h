/* waiting.h - the queue: the jobs that wait for a device.
 *
 * Each tenant's jobs are a flow (flow.h), which orders them by priority and
 * age; the jobs of no tenant are a flow, too. Priorities say nothing between
 * flows. The order between them is that of deficit round robin (Shreedhar and
 * Varghese, "Efficient Fair Queueing using Deficit Round Robin", 1995) in
 * predicted device time: in each round a flow's deficit grows by its quantum,
 * WAITING_QUANTUM_NS times its weight, and pays for the jobs that the flow
 * sends. As in surplus round robin (Adiseshu, Parulkar and Varghese, "A
 * Reliable and Scalable Striping Protocol", 1996), a flow that owes nothing may
 * send a job of any cost, and then takes part in as many rounds as pay for it
 * before it sends another: so a tenant that asks for little waits for little.
 *
 * Rounds are counted, not gone through: the flow that has paid for its jobs in
 * the earliest round is next. Every device has rounds of its own, because
 * tenants compete only for the devices that their jobs may use. A flow that
 * gets jobs makes up for the rounds that it missed, up to WAITING_CREDIT_NS
 * times its weight, as a token bucket allows bursts: so several jobs at once of
 * a tenant that uses less than its part do not each wait for one of a tenant
 * that wants more. As long as one flow alone has jobs, nothing is paid, and
 * when no jobs are left, what flows owe and what they have missed is forgotten.
 * A job is paid for once, even if it is sent to a device again.
 */
#ifndef QUEUE_WAITING_H
#define QUEUE_WAITING_H

#include "queue/flow.h"

/* Some 30 tiny jobs, which fill a batch (batch.h). */
#define WAITING_QUANTUM_NS INT64_C(2000000)

/* A flow that had no jobs makes up for at most so much device time per unit of
 * its weight. */
#define WAITING_CREDIT_NS INT64_C(100000000)

/* What a job costs whose time cannot be predicted. */
#define WAITING_DEFAULT_NS INT64_C(10000000)

struct waiting {
	struct flow house;		/* of jobs without a tenant */
	struct flow *first, *last;	/* flows that have jobs, in the order in
					 * which they got them */
	size_t n, n_flows;		/* jobs; flows that have some */
	/* By device: the present round, and the last that a flow has paid in;
	 * at the end of the latter nobody owes anything. */
	int64_t round[SHEETS], last_round[SHEETS];
	bool shared;			/* several flows have had jobs since
					 * there were none */
	struct flow *turn;		/* the walk's last job belongs to it */
	/* Predicts the time of a job on a device, in nanoseconds; a result of
	 * less than 1 is no prediction. NULL: none can be predicted. */
	int64_t (*predict)(const void *arg, const struct job *j, int device);
	const void *predict_arg;
};

void waiting_add(struct waiting *q, struct job *j);

/* Adds a job that was in the queue before: in front of those of its tenant and
 * priority that were accepted later. */
void waiting_add_again(struct waiting *q, struct job *j);

/* Removes a job that ends, or is sent to several devices. */
void waiting_remove(struct waiting *q, struct job *j);

/* Removes a job that is sent to the device, for which its tenant pays. */
void waiting_take(struct waiting *q, struct job *j, int device);

/* Ends the waiting of all jobs for those devices to compile their kernels. */
void waiting_warmed(struct waiting *q, uint64_t devices, int64_t now_ns);

/* Returns a job of the queue, whether it may run now or not; NULL: none. */
struct job *waiting_any(const struct waiting *q);

/* waiting_first() begins a walk over the jobs that may run now on one of the
 * devices, in the order in which the devices that are idle are to be given to
 * them, and returns the first; waiting_next() returns the others. NULL: there
 * are no more. The queue must not change during a walk. */
struct job *waiting_first(struct waiting *q, uint64_t devices, uint64_t idle);
struct job *waiting_next(struct waiting *q, uint64_t devices, uint64_t idle);

/* Returns the next job of the walk that has the same tenant as the last and may
 * run now on one of the devices; NULL: none. Jobs that were returned before may
 * be taken meanwhile. */
struct job *waiting_fellow(struct waiting *q, uint64_t devices);

#endif
