/* job_record_lines.h - the lines of a job's record, each of which a row of a
 * table reads; for job_record*.c alone. */
#ifndef QUEUE_JOB_RECORD_LINES_H
#define QUEUE_JOB_RECORD_LINES_H

#include "queue/job_record.h"

enum { RECORD_LINE = 1024 };		/* bytes of the longest line */

/* A record that is being read. */
struct reading {
	struct job *job;
	const struct record_room *room;
	struct args *args;		/* the job's, or of the present step */
	char *variant;			/* where `variant` of an answer goes */
	bool is_pipeline;
	int step;			/* the present step; -1: none yet */
	struct timing *timing;		/* of an answer */
	struct err *e;
};

/* How a line is read: `values` is the line without its name. */
struct record_line {
	const char *name;
	int (*read)(struct reading *r, const char *values);
};

/* Reads all lines by the rows of a table that ends with a NULL name. Without a
 * job, the first line must be one that makes it. */
int record_lines(struct reading *r, const struct record_line *lines,
                 const char *text);

/* Reads a moment of the calendar, in milliseconds, or a time from a moment on,
 * in nanoseconds: in the range in which sums of two cannot overflow. */
int record_moment(struct reading *r, const char *text, int64_t *ms);
bool record_is_time(int64_t ns);

/* Sets ERR_FORMAT: that is wrong in the record. Returns -1. */
int record_wrong(struct reading *r, const char *what);

#endif
