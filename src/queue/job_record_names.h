/* job_record_names.h - the names of choices in a job's record. */
#ifndef QUEUE_JOB_RECORD_NAMES_H
#define QUEUE_JOB_RECORD_NAMES_H

#include "ops/op.h"
#include "wire/timing.h"

static const char *const record_levels[] = {
	[TIMING_FULL] = "full", [TIMING_SUMMARY] = "summary",
	[TIMING_NONE] = "none", [TIMING_TRACE] = "trace", NULL
};

static const char *const record_qualities[] = {
	[QUALITY_ESTIMATE] = "estimate", [QUALITY_FULL] = "full",
	[QUALITY_NONE] = "none", NULL
};

#endif
